import { expect } from 'vitest'
import type { DemoService } from '../../demo/service.ts'
import { installationId } from '../../main/app/installation.ts'
import { entryName } from '../../main/session/entry.ts'
import type { TestDesktop } from './test-desktop.ts'
import type { LatchkeyWindow } from './window.ts'

interface Entry {
  readonly session?: { readonly refreshToken: string }
  readonly revocations: readonly { readonly refreshToken: string }[]
}

export const entryNameOn = (
  { service, dataFolder }: { readonly service: Pick<DemoService, 'address'>; readonly dataFolder: string },
  address = service.address,
) => entryName(address, installationId({ platform: process.platform, dataFolder }))

/** The session's entry; `undefined` if there is none, and always on macOS. */
async function entryOn(desk: TestDesktop): Promise<Entry | undefined> {
  const text = await desk.keyring.lookup(entryNameOn(desk))
  // On macOS, tests can't read the entry, so its text is empty.
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as Entry)
}

export const storedToken = async (desk: TestDesktop): Promise<string | undefined> =>
  (await entryOn(desk))?.session?.refreshToken

export const pendingTokens = async (desk: TestDesktop): Promise<readonly string[]> =>
  ((await entryOn(desk))?.revocations ?? []).map(({ refreshToken }) => refreshToken)

/** Waits until the new refresh token is stored where tests can read it: until then, another click joins this refresh. */
export async function renew(desk: TestDesktop, window: Pick<LatchkeyWindow, 'choose'>): Promise<void> {
  const [count, token] = [desk.count('refresh'), await storedToken(desk)]
  await window.choose('Renew now')
  await expect.poll(() => desk.count('refresh')).toBe(count + 1)
  if (token !== undefined) await expect.poll(() => storedToken(desk)).not.toBe(token)
}
