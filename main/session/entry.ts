/** The keychain entry of a connection, written and read as versioned JSON. */
import * as v from 'valibot'
import { type EntryText, entryText, type RefreshToken, refreshToken } from '../base/secret.ts'
import type { SessionTimes } from './session-end.ts'

/** A session in the keychain. */
export interface StoredSession {
  /** Identifies the sign-in within this run. Not written to the keychain. */
  readonly signIn: symbol
  /** The grant's name. A later version of Latchkey may have written a name that this version doesn't know. */
  readonly grant: string
  /** The only address that may receive the refresh token. */
  readonly issuer: string
  /** The client that the issuer gave the refresh token to, if a revocation must name this client. */
  readonly client?: string | undefined
  readonly username: string
  readonly sub?: string
  readonly refreshToken: RefreshToken
  readonly times?: SessionTimes
}

/** A refresh token to revoke at its issuer. */
export interface StoredRevocation {
  readonly grant: string
  readonly issuer: string
  readonly client?: string | undefined
  readonly refreshToken: RefreshToken
}

/** Everything stored for a connection, in one entry, so that signing out is a single write. */
export interface EntryContent {
  readonly session?: StoredSession
  readonly revocations: readonly StoredRevocation[]
}

/** Different addresses have different entry names, because an address can't contain a space. */
export const entryName = (baseAddress: string, installation: string): string => `${baseAddress} session ${installation}`

/** The address in an entry's name; `undefined` for another kind of entry or another installation. */
export function addressOfEntry(name: string, installation: string): string | undefined {
  const address = name.split(' ', 1)[0] ?? ''
  return name === entryName(address, installation) ? address : undefined
}

const VERSION = 1
const nonEmpty = v.pipe(v.string(), v.minLength(1))
const url = v.pipe(v.string(), v.url())
/** A time that `Date` can hold. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))
/** Times that don't parse count as absent: they must never cost the session. */
const times = v.fallback(
  v.optional(
    v.object({
      startedAt: v.exactOptional(time),
      said: v.exactOptional(v.object({ at: v.union([time, v.literal('never')]), saidAt: time, isFixed: v.boolean() })),
    }),
  ),
  undefined,
)
const jsonSchema = v.pipe(v.string(), v.parseJson())
const entrySchema = v.pipe(
  jsonSchema,
  v.object({
    version: v.literal(VERSION),
    session: v.optional(
      v.object({
        grant: nonEmpty,
        issuer: url,
        client: v.optional(nonEmpty),
        username: v.string(),
        sub: v.optional(v.string()),
        refreshToken: nonEmpty,
        times,
      }),
    ),
    revocations: v.array(
      v.object({ grant: nonEmpty, issuer: url, client: v.optional(nonEmpty), refreshToken: nonEmpty }),
    ),
  }),
)
const versionSchema = v.pipe(jsonSchema, v.object({ version: v.literal(VERSION) }))
/** The beginning of every entry of this version. */
const HEADER = `{"version":${VERSION},`

export function writeEntry({ session, revocations }: EntryContent): EntryText {
  const text = {
    version: VERSION,
    ...(session && {
      session: {
        grant: session.grant,
        issuer: session.issuer,
        client: session.client,
        username: session.username,
        sub: session.sub,
        refreshToken: session.refreshToken.reveal(),
        times: session.times,
      },
    }),
    revocations: revocations.map(({ grant, issuer, client, refreshToken: token }) => {
      return { grant, issuer, client, refreshToken: token.reveal() }
    }),
  }
  return entryText(JSON.stringify(text))
}

type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: EntryContent }
  /** Another version may have written the entry, so it is never replaced or deleted. */
  | { readonly kind: 'unknownVersion' }
  /** This version wrote the entry, but the entry is unreadable. The next sign-in replaces it. */
  | { readonly kind: 'damaged' }

export function readEntry(text: EntryText): ReadEntry {
  const content = text.reveal()
  const parsed = v.safeParse(entrySchema, content)
  if (!parsed.success) return { kind: isOfThisVersion(content) ? 'damaged' : 'unknownVersion' }
  const { session, revocations } = parsed.output
  const entry: EntryContent = {
    ...(session && { session: storedSession(session) }),
    revocations: revocations.map((each) => ({ ...each, refreshToken: refreshToken(each.refreshToken) })),
  }
  return { kind: 'entry', entry }
}

/** True if this version wrote the text, even if the text is truncated, or damaged after its header. */
function isOfThisVersion(content: string): boolean {
  if (v.safeParse(jsonSchema, content).success) return v.is(versionSchema, content)
  return content.startsWith(HEADER) || HEADER.startsWith(content)
}

/** Converts a session that was read from a keychain entry. */
export function storedSession(found: {
  readonly grant: string
  readonly issuer: string
  readonly client?: string | undefined
  readonly username: string
  readonly sub?: string | undefined
  readonly refreshToken: string
  readonly times?: SessionTimes | undefined
}): StoredSession {
  const { grant, issuer, client, username, sub, times } = found
  return {
    signIn: Symbol('sign-in of an earlier run'),
    grant,
    issuer,
    client,
    username,
    ...(sub === undefined ? {} : { sub }),
    refreshToken: refreshToken(found.refreshToken),
    ...(times === undefined ? {} : { times }),
  }
}
