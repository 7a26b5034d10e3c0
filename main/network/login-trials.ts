import type { ProxyLogin } from './proxy.ts'

/** Credentials that a proxy is about to be told. Whoever has begun it says what became of it, or that it is over. */
export interface Trial {
  readonly login: ProxyLogin
  accepted(): void
  refused(): void
  over(): void
}

/**
 * What proxies have said to credentials, by the object that these are: set anew, they are another, even where it is
 * the same password.
 * SECURITY: a few wrong passwords lock an account, and sessions try again and again, several at a time.
 */
export class LoginTrials {
  readonly #said = new WeakMap<ProxyLogin, 'accepted' | 'refused'>()
  readonly #running = new Map<ProxyLogin, Promise<void>>()

  /** Nothing where they were refused. Waits while somebody else tries them for the first time. */
  async begin(login: ProxyLogin): Promise<Trial | undefined> {
    while (this.#running.has(login)) await this.#running.get(login)
    const said = this.#said.get(login)
    if (said === 'refused') return undefined
    const over = said === 'accepted' ? () => {} : this.#run(login)
    const end = (outcome: 'accepted' | 'refused') => () => {
      this.#said.set(login, outcome)
      over()
    }
    return { login, accepted: end('accepted'), refused: end('refused'), over }
  }

  /** @returns ends it */
  #run(login: ProxyLogin): () => void {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#running.set(login, ended)
    return () => {
      if (this.#running.get(login) === ended) this.#running.delete(login)
      end()
    }
  }
}
