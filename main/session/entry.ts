/** The keychain entry of a connection is JSON with a version. */
import * as v from 'valibot'
import { type EntryText, entryText, type RefreshToken, refreshToken } from '../base/secret.ts'
import type { SessionTimes } from './session-end.ts'

export interface StoredSession {
  /** Identifies the sign-in within this run. It isn't stored. */
  readonly signIn: symbol
  /** The grant's name. This version may not know it, because a later version may have stored it. */
  readonly grant: string
  /** The only address that may receive the refresh token. */
  readonly issuer: string
  /** The client that the refresh token was issued to. Set only if a revocation must name the client. */
  readonly client?: string | undefined
  readonly username: string
  readonly sub?: string | undefined
  readonly refreshToken: RefreshToken
  readonly times?: SessionTimes | undefined
}

export interface StoredRevocation {
  readonly grant: string
  readonly issuer: string
  readonly client?: string | undefined
  readonly refreshToken: RefreshToken
}

/** All that is stored for a connection. Because it is one entry, signing out is a single write. */
export interface EntryContent {
  readonly session?: StoredSession
  readonly revocations: readonly StoredRevocation[]
}

/** The name of a connection's entry. No address contains a space, so different addresses have different entries. */
export const entryName = (baseAddress: string, installation: string): string => `${baseAddress} session ${installation}`

/** The address in an entry's name; `undefined` if the entry is of another kind or belongs to another installation. */
export function addressOfEntry(name: string, installation: string): string | undefined {
  const address = name.split(' ', 1)[0] ?? ''
  return name === entryName(address, installation) ? address : undefined
}

const VERSION = 1
const nonEmpty = v.pipe(v.string(), v.minLength(1))
const url = v.pipe(v.string(), v.url())
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15))
/** Unreadable times are left out, because the session must not be lost over them. */
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
  /** This version wrote the entry, but can't read it. The next sign-in replaces it. */
  | { readonly kind: 'damaged' }

export function readEntry(text: EntryText): ReadEntry {
  const content = text.reveal()
  // SECURITY: each token goes to the issuer that the entry names, so the whole entry must be valid.
  const parsed = v.safeParse(entrySchema, content)
  if (!parsed.success) return { kind: isOfThisVersion(content) ? 'damaged' : 'unknownVersion' }
  const { session, revocations } = parsed.output
  const entry: EntryContent = {
    ...(session && { session: storedSession(session) }),
    revocations: revocations.map((each) => ({ ...each, refreshToken: refreshToken(each.refreshToken) })),
  }
  return { kind: 'entry', entry }
}

/** Whether this version wrote the text, even if it was cut off or damaged later. */
function isOfThisVersion(content: string): boolean {
  if (v.safeParse(jsonSchema, content).success) return v.is(versionSchema, content)
  return content.startsWith(HEADER) || HEADER.startsWith(content)
}

export const storedSession = (
  found: Omit<StoredSession, 'signIn' | 'refreshToken'> & { readonly refreshToken: string },
): StoredSession => ({
  ...found,
  signIn: Symbol('sign-in of an earlier run'),
  refreshToken: refreshToken(found.refreshToken),
})
