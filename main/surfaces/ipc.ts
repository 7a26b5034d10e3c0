/** The only place through which messages to and from a window pass. */
import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'
import * as v from 'valibot'
import { type CallInput, type CallName, type CallResult, calls, type Handlers } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import { type Failure, fail, type Outcome } from '../../contract/failures.ts'
import type { ViewStore } from '../app/view-store.ts'
import type { Report } from '../log/log.ts'
import { ORIGIN } from './app-protocol.ts'

export interface IpcPorts extends Answering {
  readonly ipcMain: Pick<IpcMain, 'handle' | 'removeHandler' | 'on' | 'off'>
  readonly views: Pick<ViewStore, 'subscribe'>
  readonly window: { readonly contents: WebContents | undefined }
}

interface Answering {
  readonly handlers: Handlers
  readonly report: Report
  readonly onFailure: (name: CallName, failure: Failure) => void
}

export class Ipc {
  readonly #ports: IpcPorts
  #unsubscribe = (): void => {}

  constructor(ports: IpcPorts) {
    this.#ports = ports
  }

  start(): void {
    const { ipcMain } = this.#ports
    for (const name of callNames()) {
      ipcMain.handle(channelOf(name), (event, input: unknown) => this.#answer(name, event, input))
    }
    ipcMain.on(SUBSCRIBE_CHANNEL, this.#subscribe)
  }

  stop(): void {
    const { ipcMain } = this.#ports
    for (const name of callNames()) ipcMain.removeHandler(channelOf(name))
    ipcMain.off(SUBSCRIBE_CHANNEL, this.#subscribe)
    this.#unsubscribe()
  }

  /** Only the page that subscribed last receives the views, for as long as that page exists. */
  readonly #subscribe = (event: IpcMainEvent): void => {
    if (!this.#isOurs(event)) return
    const page = event.sender
    this.#unsubscribe()
    this.#unsubscribe = this.#ports.views.subscribe((view) => {
      if (page.isDestroyed()) this.#unsubscribe()
      else page.send(VIEW_CHANNEL, view)
    })
  }

  async #answer(name: CallName, event: IpcMainInvokeEvent, input: unknown): Promise<Outcome<unknown>> {
    // SECURITY: an unknown sender gets an error, and never an outcome.
    if (!this.#isOurs(event)) throw new Error('not allowed')
    return answerCall(name, input, this.#ports)
  }

  #isOurs(event: IpcMainInvokeEvent | IpcMainEvent): boolean {
    return isOurs(event, this.#ports.window.contents, ORIGIN)
  }
}

const callNames = (): readonly CallName[] => Object.keys(calls) as CallName[]

interface SenderEvent {
  readonly sender: unknown
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

/** SECURITY: false for a frame without an address, and if the frame is gone (Electron's security guide, 17). */
export function isOurs(event: SenderEvent, ours: unknown, origin: string): boolean {
  const { sender, senderFrame } = event
  if (ours === undefined || sender !== ours || senderFrame === null || senderFrame.parent !== null) return false
  return originOf(senderFrame.url) === origin
}

function originOf(address: string): string | undefined {
  try {
    const { protocol, host, username, password } = new URL(address)
    return username === '' && password === '' ? `${protocol}//${host}` : undefined
  } catch {
    return undefined
  }
}

/** The contract's messages that the page gets. Valibot's own aren't among them, because they quote the value. */
const KNOWN = ['empty', 'tooLong', 'inexpressible', 'currentPassword']

/** A handler that throws has a bug, which is reported here; the page only gets a generic sentence. */
export async function answerCall<N extends CallName>(
  name: N,
  input: unknown,
  { handlers, report, onFailure }: Answering,
): Promise<Outcome<CallResult<N>>> {
  const parsed = v.safeParse(calls[name] as v.GenericSchema<unknown, CallInput<N>>, input)
  if (!parsed.success) return invalid(parsed.issues[0].message)
  try {
    const outcome = await handlers[name](parsed.output)
    if (!outcome.ok) onFailure(name, outcome.failure)
    return outcome
  } catch (error) {
    report(name, error)
    throw new Error('Something went wrong in Latchkey.')
  }
}

// SECURITY: the outcome names the problem, and never the value.
function invalid(message: string): Outcome<never> {
  const cause = KNOWN.includes(message) ? message : 'malformed'
  return fail({ code: 'invalidInput', details: { cause } })
}
