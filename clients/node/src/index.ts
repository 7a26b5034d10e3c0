/** A valid access token from the Latchkey that runs on this desktop. */
import { askForAnother, askForToken } from './agent.ts'

export { LatchkeyError } from './error.ts'
export { type LatchkeyInit, latchkeyFetch } from './fetch.ts'

export interface TokenOptions {
  /** Seconds that the token has to be valid for, at least; 60 if not given. */
  readonly minValidity?: number
  /** Which of several connections; the first if none is named. */
  readonly connection?: string
}

export const token = async ({ minValidity = 60, connection }: TokenOptions = {}): Promise<string> =>
  (await askForToken(minValidity, connection)).token

/** Another token, in place of one that a server refused with status 401. */
export const rejected = async (token: string, { connection }: Pick<TokenOptions, 'connection'> = {}): Promise<string> =>
  (await askForAnother(token, connection)).token
