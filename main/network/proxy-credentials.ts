import * as v from 'valibot'
import type { Outcome } from '../../contract/failures.ts'
import { entryText, Secret } from '../base/secret.ts'
import type { SecretStore } from '../session/ports.ts'
import type { ProxyCredentials, ProxyLogin } from './proxy.ts'

/** The name of a proxy's entry. It can't be the name of a session's entry, because that begins with an address. */
export const proxyEntryName = (proxy: string): string => `proxy ${proxy}`

const entry = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ version: v.literal(1), username: v.string(), password: v.pipe(v.string(), v.maxLength(1024)) }),
)

/** Stores the credentials for proxies in the keychain, and keeps in memory those that were read or set. */
export class KeychainProxyCredentials implements ProxyCredentials {
  readonly #store: Pick<SecretStore, 'read' | 'write'>
  readonly #held = new Map<string, ProxyLogin>()

  constructor(store: Pick<SecretStore, 'read' | 'write'>) {
    this.#store = store
  }

  async get(proxy: string): Promise<ProxyLogin | undefined> {
    const held = this.#held.get(proxy)
    if (held !== undefined) return held
    const result = await this.#store.read(proxyEntryName(proxy))
    const parsed = result.kind === 'found' ? v.safeParse(entry, result.value.reveal()) : undefined
    // If credentials were set during the read, they are newer than those in the keychain.
    if (parsed === undefined || !parsed.success || this.#held.has(proxy)) return this.#held.get(proxy)
    const { username, password } = parsed.output
    const login = { username, password: new Secret('proxy password', password) }
    this.#held.set(proxy, login)
    return login
  }

  /** The new credentials are used at once. Fails with `keychainUnavailable` if they will be lost when the app ends. */
  async set(proxy: string, { username, password }: ProxyLogin): Promise<Outcome> {
    this.#held.set(proxy, { username, password })
    const text = JSON.stringify({ version: 1, username, password: password.reveal() })
    return this.#store.write(proxyEntryName(proxy), entryText(text))
  }
}
