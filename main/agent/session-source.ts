import type { SessionEngine } from '../session/session-engine.ts'
import type { TokenSource, TokenState } from './token-source.ts'
import { tokenStateOf } from './token-state.ts'

/** The sessions of all connections. A session can be replaced, so it is looked up for each use. */
interface Sessions {
  session(name: string): Pick<SessionEngine, 'state' | 'accessToken' | 'earliestToolRefresh' | 'refresh'> | undefined
  /** True while the state of this connection's session is unknown, for example when the app starts or stops. */
  isRestoring(name: string): boolean
  subscribe(listener: () => void): () => void
}

/** What the agent sees of one connection's session. */
export class SessionSource implements TokenSource {
  readonly #sessions: Sessions
  readonly #name: string

  /** @param name the connection's name */
  constructor(sessions: Sessions, name: string) {
    this.#sessions = sessions
    this.#name = name
  }

  get tokenState(): TokenState {
    const session = this.#sessions.session(this.#name)
    // A tool that gets `signed_out` stops asking, so no tool may get it while the session's state is unknown.
    if (session === undefined && this.#sessions.isRestoring(this.#name)) return { kind: 'restoring' }
    return tokenStateOf(session?.state, {
      accessToken: session?.accessToken,
      notBefore: session?.earliestToolRefresh ?? 0,
    })
  }

  refresh(): void {
    void this.#sessions.session(this.#name)?.refresh()
  }

  subscribe(listener: () => void): () => void {
    return this.#sessions.subscribe(listener)
  }
}
