import type { CallInput, Handlers } from '../../contract/calls.ts'
import { type Failure, fail, OK, type Outcome, proxyToSignInTo } from '../../contract/failures.ts'
import { Secret } from '../base/secret.ts'
import type { ProxyLogin } from '../network/proxy.ts'

type Answered = Outcome<{ readonly details: Failure['details'] }>

interface ProxySignInPorts {
  readonly onRequest: (listener: (outcome: Answered) => void) => () => void
  readonly credentials: { set(proxy: string, login: ProxyLogin): Promise<Outcome> }
  readonly onSaved: () => void
}

export class ProxySignIn {
  readonly #ports: ProxySignInPorts
  readonly #asking = new Set<string>()
  #undo = (): void => {}

  constructor(ports: ProxySignInPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    saveProxyCredentials: (input) => this.#save(input),
  } satisfies Partial<Handlers>

  start(): void {
    this.#undo = this.#ports.onRequest((outcome) => this.#note(outcome))
  }

  stop(): void {
    this.#undo()
  }

  #note(outcome: Answered): void {
    if (outcome.ok) {
      // The request got past this proxy, so the proxy no longer asks for credentials.
      const { proxy } = outcome.value.details ?? {}
      if (proxy !== undefined) this.#asking.delete(proxy)
      return
    }
    const proxy = proxyToSignInTo(outcome.failure)
    if (proxy !== undefined) this.#asking.add(proxy)
  }

  /** Keeps the login in memory if the keychain fails. Fails with `invalidInput` (`stranger`) unless the proxy asked. */
  async #save({ proxy, username, password }: CallInput<'saveProxyCredentials'>): Promise<Outcome> {
    // SECURITY: only a proxy that has asked for credentials gets them, because a malicious page could name any proxy.
    if (!this.#asking.has(proxy)) {
      return fail({ code: 'invalidInput', details: { cause: 'stranger' } })
    }
    await this.#ports.credentials.set(proxy, { username, password: new Secret('proxy password', password) })
    this.#ports.onSaved()
    return OK
  }
}
