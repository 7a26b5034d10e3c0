import type { AppView } from '../../contract/views.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import type { Feature, Subscribe } from './feature.ts'

type Manager = Pick<
  ConnectionManager<{ readonly baseAddress: string }>,
  'handlers' | 'view' | 'shown' | 'show' | 'callsOf' | 'subscribe' | 'restored' | 'start' | 'stop'
>

interface SessionsPorts {
  readonly connections: Manager
  /** Resolves when no setting is being read from the keychain. */
  readonly prepared: () => Promise<unknown>
  readonly settings: { of(connection: string): { readonly view: AppView['settings'] } }
  readonly onPolicyChange: Subscribe
  readonly changed: () => void
}

type Calls = keyof Manager['handlers']
type Shown = keyof Manager['view'] | 'settings'

/** The connections, each with its session. */
export class Sessions implements Feature<Calls, Shown> {
  readonly #ports: SessionsPorts
  #undo: readonly (() => void)[] = []
  #opened: Promise<void> = Promise.resolve()

  constructor(ports: SessionsPorts) {
    this.#ports = ports
  }

  get handlers(): Manager['handlers'] {
    return this.#ports.connections.handlers
  }

  view(): Pick<AppView, Shown> {
    const { connections, settings } = this.#ports
    const { view } = connections
    return { ...view, settings: settings.of(view.shown).view }
  }

  start(): Promise<void> {
    const { connections, onPolicyChange, changed } = this.#ports
    this.#undo = [connections.subscribe(changed), onPolicyChange(() => void connections.start())]
    this.#opened = connections.start()
    return this.#opened
  }

  async stop(): Promise<void> {
    const { connections, prepared } = this.#ports
    for (const undo of this.#undo) undo()
    // A native keychain call that returns while the process is ending would abort the process, so wait for such calls.
    await Promise.all([connections.stop(), prepared()])
  }

  /** Resolves when every configured connection has been opened. */
  opened(): Promise<void> {
    return this.#opened
  }

  /** Resolves when every stored session has been restored or is known to be missing. */
  restored(): Promise<void> {
    return this.#ports.connections.restored()
  }

  /** Shows another connection in the window. */
  show(name: string): void {
    this.#ports.connections.show(name)
  }

  /** Refreshes the session of the connection with this name; without a name, of the shown connection. */
  refreshNow(name = this.#ports.connections.shown): void {
    void this.#ports.connections.callsOf(name)?.refreshNow(undefined)
  }

  signOut(name = this.#ports.connections.shown): void {
    void this.#ports.connections.callsOf(name)?.signOut(undefined)
  }
}
