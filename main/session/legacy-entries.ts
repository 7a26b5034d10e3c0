/**
 * The entries of version 1: two for each connection, named only by its address and shared by all installations of a
 * user. The installation whose settings have the markers of these entries adopts them: it copies their content into its
 * current entry, and then removes them.
 */
import * as v from 'valibot'
import type { GrantName } from '../../contract/grants.ts'
import { type JournalEntry, storedSession } from './entry.ts'
import type { LegacyMark } from './journal.ts'
import type { ReadResult, SecretStore, StoredMarker } from './ports.ts'
import { type EntryText, isIn, refreshToken } from './secret.ts'

export const legacySessionName = (baseAddress: string): string => baseAddress
export const legacyRevocationsName = (baseAddress: string): string => `${baseAddress} pending revocations`

/** The connection's address, from the name of an entry of version 1; `undefined` for any other name. */
export function addressOfLegacy(name: string): string | undefined {
  const address = name.split(' ', 1)[0] ?? ''
  return name === address || name === legacyRevocationsName(address) ? address : undefined
}

const nonEmpty = v.pipe(v.string(), v.minLength(1))
const sessionSchema = v.object({
  version: v.literal(1),
  kind: v.picklist(['password', 'sso']),
  username: v.string(),
  sub: v.optional(v.string()),
  issuer: v.optional(nonEmpty),
  refreshToken: nonEmpty,
})
/** The names of the grants, by their names in version 1. */
const GRANT_OF = { password: 'password', sso: 'passwordRealm' } as const satisfies Record<string, GrantName>
const revocationsSchema = v.object({ version: v.literal(1), refreshTokens: v.array(nonEmpty) })

interface LegacyPorts {
  /** The connection's normalised base address. */
  readonly address: string
  /** The issuer of the single sign-on sessions that version 1 stored without an issuer. */
  readonly earlierProvider?: string | undefined
  readonly store: SecretStore
  readonly marker: StoredMarker
}

export type LegacyRead =
  | { readonly kind: 'entry'; readonly entry: JournalEntry }
  | Exclude<ReadResult, { readonly kind: 'found' }>

export class LegacyEntries {
  readonly #ports: LegacyPorts
  readonly #sessionName: string
  readonly #revocationsName: string

  constructor(ports: LegacyPorts) {
    this.#ports = ports
    this.#sessionName = legacySessionName(ports.address)
    this.#revocationsName = legacyRevocationsName(ports.address)
  }

  /** The settings can have a marker for each of the two entries. Combines both markers into one. */
  get mark(): LegacyMark {
    const { marker } = this.#ports
    const session = marker.get(this.#sessionName)
    if (session === 'stored' || session === 'leaving' || session === 'adopted') return session
    const revocations = marker.get(this.#revocationsName)
    return revocations === undefined ? 'none' : revocations === 'adopted' ? 'adopted' : 'leaving'
  }

  /** Reads both entries and combines them. A session that is also listed for revocation does not count as a session. */
  async read(): Promise<LegacyRead> {
    const { store } = this.#ports
    const revocations = await store.read(this.#revocationsName)
    if (revocations.kind === 'locked' || revocations.kind === 'unavailable') return revocations
    // Entries without a marker belong to another installation.
    const session: ReadResult = this.#isSessionOurs ? await store.read(this.#sessionName) : { kind: 'missing' }
    if (session.kind === 'locked' || session.kind === 'unavailable') return session
    const entry = this.#combine(
      session.kind === 'found' ? session.value : undefined,
      revocations.kind === 'found' ? revocations.value : undefined,
    )
    return entry.session === undefined && entry.revocations.length === 0
      ? { kind: 'missing' }
      : { kind: 'entry', entry }
  }

  /**
   * Call this once the content of the version 1 entries is in the current entry. From then on they only have to be
   * deleted.
   */
  markAdopted(): void {
    const { marker } = this.#ports
    marker.set(this.#revocationsName, 'adopted')
    if (this.#isSessionOurs) marker.set(this.#sessionName, 'adopted')
  }

  /** Deletes the entries and then their markers. False if the keychain did not delete an entry. */
  async remove(): Promise<boolean> {
    const { store, marker } = this.#ports
    const names = [this.#revocationsName, ...(this.#isSessionOurs ? [this.#sessionName] : [])]
    for (const name of names) {
      if (!(await store.delete(name)).ok) return false
    }
    for (const name of names) marker.clear(name)
    return true
  }

  get #isSessionOurs(): boolean {
    return this.#ports.marker.get(this.#sessionName) !== undefined
  }

  #combine(session: EntryText | undefined, revocations: EntryText | undefined): JournalEntry {
    const { address, earlierProvider } = this.#ports
    const issuers: { readonly [M in keyof typeof GRANT_OF]: string | undefined } = {
      password: address,
      sso: earlierProvider,
    }
    const stored = parse(sessionSchema, session)
    const tokens = (parse(revocationsSchema, revocations)?.refreshTokens ?? []).map(refreshToken)
    const isSession = stored !== undefined && !isIn(tokens, refreshToken(stored.refreshToken))
    return {
      ...(isSession && {
        session: storedSession({
          ...stored,
          grant: GRANT_OF[stored.kind],
          issuer: stored.issuer ?? issuers[stored.kind],
        }),
      }),
      // Version 1 only revoked tokens of the service, not of the provider.
      revocations: tokens.map((token) => ({ grant: 'password', issuer: address, refreshToken: token })),
    }
  }
}

function parse<S extends v.GenericSchema>(schema: S, text: EntryText | undefined): v.InferOutput<S> | undefined {
  const parsed = text && v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text.reveal())
  return parsed?.success ? parsed.output : undefined
}
