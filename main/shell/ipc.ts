import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import * as v from 'valibot'
import {
  type AppView,
  type CallInput,
  type CallName,
  calls,
  channelOf,
  type Handlers,
  type Outcome,
  SUBSCRIBE_CHANNEL,
  VIEW_CHANNEL,
} from '../../preload/contract.ts'
import { isOurs } from './sender.ts'

interface IpcOptions {
  readonly handlers: Handlers
  readonly view: () => AppView
  /** Our window's contents, while there is one. */
  readonly contents: () => WebContents | undefined
  readonly origin: string
  readonly report: (line: string) => void
}

/** The only place where messages of a window come in and go out. */
export class Ipc {
  readonly #options: IpcOptions
  #subscriber: WebContents | undefined

  constructor(options: IpcOptions) {
    this.#options = options
  }

  start(): void {
    for (const name of Object.keys(calls) as CallName[]) {
      ipcMain.handle(channelOf(name), (event, input: unknown) => this.#answer(name, event, input))
    }
    ipcMain.on(SUBSCRIBE_CHANNEL, (event) => {
      if (!this.#isOurs(event)) return
      this.#subscriber = event.sender
      this.publish()
    })
  }

  stop(): void {
    for (const name of Object.keys(calls) as CallName[]) ipcMain.removeHandler(channelOf(name))
    ipcMain.removeAllListeners(SUBSCRIBE_CHANNEL)
    this.#subscriber = undefined
  }

  /** Sends the present view to the window, if one has asked for it. */
  publish(): void {
    if (this.#subscriber === undefined) return
    if (this.#subscriber.isDestroyed()) this.#subscriber = undefined
    else this.#subscriber.send(VIEW_CHANNEL, this.#options.view())
  }

  async #answer<N extends CallName>(name: N, event: IpcMainInvokeEvent, input: unknown): Promise<Outcome> {
    // SECURITY: a stranger gets an error, never an answer that could be taken for one.
    if (!this.#isOurs(event)) throw new Error('not allowed')
    const parsed = v.safeParse(calls[name] as v.GenericSchema<unknown, CallInput<N>>, input)
    // SECURITY: the issue names what is wrong, never the value.
    if (!parsed.success) return invalid(parsed.issues[0].message)
    try {
      return await this.#options.handlers[name](parsed.output)
    } catch (error) {
      this.#options.report(`${name}: ${error instanceof Error ? error.stack : 'failed'}`)
      throw new Error('Something went wrong inside Latchkey.')
    }
  }

  #isOurs(event: IpcMainInvokeEvent | IpcMainEvent): boolean {
    return isOurs(event, this.#options.contents(), this.#options.origin)
  }
}

const KNOWN = ['empty', 'tooLong', 'inexpressible']

function invalid(message: string): Outcome {
  const cause = KNOWN.includes(message) ? message : 'malformed'
  return { ok: false, failure: { code: 'invalidInput', details: { cause } } }
}
