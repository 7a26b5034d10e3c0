import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { type CallName, calls, type Handlers } from '../../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../../contract/channels.ts'
import type { Failure, Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Report } from '../log/report.ts'
import { answerCall } from '../shell/answer-call.ts'
import type { ViewStore } from '../view-store.ts'
import { isOurs } from './sender.ts'

interface IpcOptions {
  readonly handlers: Handlers
  readonly views: Pick<ViewStore<AppView>, 'subscribe'>
  /** The contents of the window that is open or stands by. */
  readonly contents: () => WebContents | undefined
  readonly origin: string
  readonly report: Report
  /** Told of each call that failed as calls may. */
  readonly onFailure: (name: CallName, failure: Failure) => void
}

/** The only place where messages of a window come in and go out. */
export class Ipc {
  readonly #options: IpcOptions
  #unsubscribe = (): void => {}

  constructor(options: IpcOptions) {
    this.#options = options
  }

  start(): void {
    for (const name of Object.keys(calls) as CallName[]) {
      ipcMain.handle(channelOf(name), (event, input: unknown) => this.#answer(name, event, input))
    }
    ipcMain.on(SUBSCRIBE_CHANNEL, (event) => {
      if (!this.#isOurs(event)) return
      this.#subscribe(event.sender)
    })
  }

  /** The last page that asked gets the view, as long as it is there. */
  #subscribe(page: WebContents): void {
    this.#unsubscribe()
    this.#unsubscribe = this.#options.views.subscribe((view) => {
      if (page.isDestroyed()) this.#unsubscribe()
      else page.send(VIEW_CHANNEL, view)
    })
  }

  async #answer(name: CallName, event: IpcMainInvokeEvent, input: unknown): Promise<Outcome> {
    // SECURITY: a stranger gets an error, never an answer that could be taken for one.
    if (!this.#isOurs(event)) throw new Error('not allowed')
    return answerCall(name, input, this.#options)
  }

  #isOurs(event: IpcMainInvokeEvent | IpcMainEvent): boolean {
    return isOurs(event, this.#options.contents(), this.#options.origin)
  }
}
