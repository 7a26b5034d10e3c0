/** Gets a valid access token from the Latchkey that runs on this desktop. */
import { askForAnother, askForToken, type Wait } from './agent.ts'

export { LatchkeyError } from './error.ts'
export { type LatchkeyInit, latchkeyFetch } from './fetch.ts'

export interface TokenOptions {
  /** The minimum remaining validity of the token in seconds; 60 by default. */
  readonly minValidity?: number
  /** The connection's name; by default the first connection. */
  readonly connection?: string
  /** If there is no token, for how many seconds to wait for one, even for a sign-in; `true`: up to a week. */
  readonly wait?: Wait
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

export const token = async ({ minValidity = 60, connection, wait, signal }: TokenOptions = {}): Promise<string> =>
  (await askForToken(minValidity, connection, signal, wait)).token

/** A new token to replace one that a server refused with status 401. */
export const rejected = async (token: string, { connection }: Pick<TokenOptions, 'connection'> = {}): Promise<string> =>
  (await askForAnother(token, connection)).token
