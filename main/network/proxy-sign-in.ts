import type { CallInput } from '../../contract/calls.ts'
import { type Failure, type Outcome, proxyToSignInTo } from '../../contract/failures.ts'
import { Secret } from '../session/secret.ts'
import type { KeychainProxyCredentials } from './keychain-credentials.ts'

interface ProxySignInPorts {
  readonly credentials: () => Promise<Pick<KeychainProxyCredentials, 'set'>>
  /** There is something new to try. */
  readonly onSaved: () => void
}

/** What a person says to a proxy that asks who is there. */
export class ProxySignIn {
  readonly #ports: ProxySignInPorts
  /** Those that ask now. */
  readonly #asking = new Set<string>()

  constructor(ports: ProxySignInPorts) {
    this.#ports = ports
  }

  /** Told what became of each request; its answer tells the proxy that it went through. */
  note(outcome: Outcome<{ readonly details: Failure['details'] }>): void {
    if (outcome.ok) {
      const { proxy } = outcome.value.details ?? {}
      if (proxy !== undefined) this.#asking.delete(proxy)
      return
    }
    const proxy = proxyToSignInTo(outcome.failure)
    if (proxy !== undefined) this.#asking.add(proxy)
  }

  /**
   * Keeps the credentials for this proxy, in memory where the keychain doesn't take them, and has all go on.
   * `invalidInput` (`stranger`) where that proxy has not asked.
   */
  async save({ proxy, username, password }: CallInput<'saveProxyCredentials'>): Promise<Outcome> {
    // SECURITY: the network says which proxy is told; a page gone bad can't name another.
    if (!this.#asking.has(proxy)) {
      return { ok: false, failure: { code: 'invalidInput', details: { cause: 'stranger' } } }
    }
    const credentials = await this.#ports.credentials()
    await credentials.set(proxy, { username, password: new Secret('proxy password', password) })
    this.#ports.onSaved()
    return { ok: true, value: undefined }
  }
}
