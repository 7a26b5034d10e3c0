/** Gets a valid access token from the Latchkey that runs on this desktop. */
import { askForAnother, askForToken, type Wait } from './agent.ts'

export { LatchkeyError } from './error.ts'
export { type LatchkeyInit, latchkeyFetch } from './fetch.ts'

export interface TokenOptions {
  /** The number of seconds for which the token must still be valid; 60 by default. */
  readonly minValidity?: number
  /** The connection's name; by default the first connection. */
  readonly connection?: string
  /** How many seconds to wait for a token, even if the user has to sign in first; `true`: up to a week. */
  readonly wait?: Wait
  readonly signal?: AbortSignal
}

export const token = async ({ minValidity = 60, connection, wait, signal }: TokenOptions = {}): Promise<string> =>
  (await askForToken(minValidity, connection, signal, wait)).token

/** Another token, to replace one that a server rejected with status 401. */
export const rejected = async (token: string, { connection }: Pick<TokenOptions, 'connection'> = {}): Promise<string> =>
  (await askForAnother(token, connection)).token
