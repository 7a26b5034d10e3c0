/** The two keychain entries of a connection, written and read as versioned JSON. */
import * as v from 'valibot'
import { SIGN_IN_METHODS, type SignInMethod } from '../../contract/sign-in-methods.ts'
import { type EntryText, entryText, type RefreshToken, refreshToken } from './secret.ts'

export interface SessionEntry {
  readonly method: SignInMethod
  /** The only address the refresh token may be sent to. Absent if nothing says where the token came from. */
  readonly issuer?: string
  readonly username: string
  readonly sub?: string
  readonly refreshToken: RefreshToken
}

/** The entry's name: the connection's normalised base address. */
export const sessionEntryName = (baseAddress: string): string => baseAddress
/** A space can't be part of an address, so this never names another connection's session. */
export const revocationsEntryName = (baseAddress: string): string => `${baseAddress} pending revocations`

/** Whose pending revocations an entry of this name holds; nothing where it is another kind of entry. */
export function addressOfRevocations(name: string): string | undefined {
  const address = name.split(' ', 1)[0] ?? ''
  return name === revocationsEntryName(address) ? address : undefined
}

const nonEmpty = v.pipe(v.string(), v.minLength(1))
const sessionSchema = v.object({
  version: v.literal(1),
  kind: v.picklist(SIGN_IN_METHODS),
  username: v.string(),
  sub: v.optional(v.string()),
  issuer: v.optional(nonEmpty),
  refreshToken: nonEmpty,
})
const revocationsSchema = v.object({ version: v.literal(1), refreshTokens: v.array(nonEmpty) })

export function writeSessionEntry(entry: SessionEntry): EntryText {
  return entryText(
    JSON.stringify({
      version: 1,
      kind: entry.method,
      username: entry.username,
      sub: entry.sub,
      issuer: entry.issuer,
      refreshToken: entry.refreshToken.reveal(),
    }),
  )
}

/** The issuers of the entries that earlier versions wrote, which name none. */
export type EarlierIssuers = { readonly [M in SignInMethod]?: string | undefined }

/** `undefined` for anything that isn't such an entry, whoever wrote it. */
export function readSessionEntry(text: EntryText, earlier: EarlierIssuers = {}): SessionEntry | undefined {
  const entry = parse(sessionSchema, text)
  if (entry === undefined) return undefined
  const issuer = entry.issuer ?? earlier[entry.kind]
  return {
    method: entry.kind,
    username: entry.username,
    ...(issuer === undefined ? {} : { issuer }),
    ...(entry.sub === undefined ? {} : { sub: entry.sub }),
    refreshToken: refreshToken(entry.refreshToken),
  }
}

export function writeRevocationsEntry(tokens: readonly RefreshToken[]): EntryText {
  return entryText(JSON.stringify({ version: 1, refreshTokens: tokens.map((each) => each.reveal()) }))
}

export function readRevocationsEntry(text: EntryText): readonly RefreshToken[] | undefined {
  return parse(revocationsSchema, text)?.refreshTokens.map(refreshToken)
}

function parse<S extends v.GenericSchema>(schema: S, text: EntryText): v.InferOutput<S> | undefined {
  let json: unknown
  try {
    json = JSON.parse(text.reveal())
  } catch {
    return undefined
  }
  const parsed = v.safeParse(schema, json)
  return parsed.success ? parsed.output : undefined
}
