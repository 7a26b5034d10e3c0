import * as v from 'valibot'
import type { Outcome } from '../../preload/contract.ts'
import type { SecretStore } from '../session/ports.ts'
import { entryText, Secret } from '../session/secret.ts'
import type { ProxyCredentials, ProxyLogin } from './proxy.ts'

/** The keychain entry of one proxy's credentials. A space can't be part of an address: it names no session. */
export const proxyEntryName = (proxyHost: string): string => `proxy ${proxyHost}`

const entry = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ version: v.literal(1), username: v.string(), password: v.pipe(v.string(), v.maxLength(1024)) }),
)

/** Proxy credentials in the keychain, asked of the user once. What was read or set is held in memory. */
export class KeychainProxyCredentials implements ProxyCredentials {
  readonly #store: Pick<SecretStore, 'read' | 'write'>
  readonly #held = new Map<string, ProxyLogin>()

  constructor(store: Pick<SecretStore, 'read' | 'write'>) {
    this.#store = store
  }

  async get(proxyHost: string): Promise<ProxyLogin | undefined> {
    const held = this.#held.get(proxyHost)
    if (held !== undefined) return held
    const result = await this.#store.read(proxyEntryName(proxyHost))
    const parsed = result.kind === 'found' ? v.safeParse(entry, result.value.reveal()) : undefined
    // What came to be held meanwhile is newer.
    if (parsed === undefined || !parsed.success || this.#held.has(proxyHost)) return this.#held.get(proxyHost)
    const { username, password } = parsed.output
    const login = { username, password: new Secret('proxy password', password) }
    this.#held.set(proxyHost, login)
    return login
  }

  /** Serves at once; `keychainUnavailable` where they will be forgotten with the app. */
  async set(proxyHost: string, { username, password }: ProxyLogin): Promise<Outcome> {
    this.#held.set(proxyHost, { username, password })
    const text = JSON.stringify({ version: 1, username, password: password.reveal() })
    return this.#store.write(proxyEntryName(proxyHost), entryText(text))
  }
}
