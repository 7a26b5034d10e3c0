import type { ProxyLogin } from './proxy.ts'

/** Whoever begins the attempt must call `accepted` or `refused`, or `over` if the proxy gave no answer. */
export interface LoginAttempt {
  readonly login: ProxyLogin
  accepted(): void
  refused(): void
  over(): void
}

/**
 * SECURITY: a few wrong passwords can lock an account, so one request at a time tries new credentials, and refused
 * credentials aren't sent again. Credentials are compared as objects, so a user can enter the same ones to try again.
 */
export class LoginAttempts {
  readonly #said = new WeakMap<ProxyLogin, 'accepted' | 'refused'>()
  readonly #running = new Map<ProxyLogin, Promise<void>>()

  /** Waits while another request tries these credentials first. Resolves to `undefined` if they were refused. */
  async begin(login: ProxyLogin): Promise<LoginAttempt | undefined> {
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
