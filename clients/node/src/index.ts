/** Gets a valid access token from the Latchkey that runs on this desktop. */
import { askForAnother, askForToken } from './agent.ts'

export { LatchkeyError } from './error.ts'
export { type LatchkeyInit, latchkeyFetch } from './fetch.ts'

export interface TokenOptions {
  /** The minimum remaining validity of the token in seconds; 60 by default. */
  readonly minValidity?: number
  /** The connection's name; by default the first connection. */
  readonly connection?: string
}

export const token = async ({ minValidity = 60, connection }: TokenOptions = {}): Promise<string> =>
  (await askForToken(minValidity, connection)).token

/** A new token to replace one that a server refused with status 401. */
export const rejected = async (token: string, { connection }: Pick<TokenOptions, 'connection'> = {}): Promise<string> =>
  (await askForAnother(token, connection)).token
