/** What the app keeps of a session in the keychain of a desk. */
import { installationId } from '../../main/installation.ts'
import { entryName } from '../../main/session/entry.ts'
import type { Desk } from './desk.ts'

interface Entry {
  readonly session?: { readonly refreshToken: string }
  readonly revocations: readonly { readonly refreshToken: string }[]
}

/** The name of the entry. */
export const entryNameOn = ({ service, dataFolder }: Pick<Desk, 'service' | 'dataFolder'>, address = service.address) =>
  entryName(address, installationId({ platform: process.platform, dataFolder }))

/** The entry, which is either whole or not there. */
export async function entryOn(desk: Desk, address?: string): Promise<Entry | undefined> {
  const text = await desk.keyring.lookup(entryNameOn(desk, address))
  // macOS tells that it is there, and not what it holds.
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Entry)
}

/** The refresh token of the session in it. */
export const storedToken = async (desk: Desk): Promise<string | undefined> =>
  (await entryOn(desk))?.session?.refreshToken

/** The tokens in it that have yet to be revoked. */
export const pendingTokens = async (desk: Desk): Promise<readonly string[]> =>
  ((await entryOn(desk))?.revocations ?? []).map(({ refreshToken }) => refreshToken)
