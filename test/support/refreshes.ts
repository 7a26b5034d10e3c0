import { get } from 'node:http'
import path from 'node:path'
import { expect } from 'vitest'
import type { TestDesktop } from './test-desktop.ts'

/**
 * A token's lifetime in seconds. It is long enough for a scheduled refresh, but so short that a tool soon needs another
 * token.
 */
export const SHORT_LIFETIME = 35

/** Asks for a token that lives for a day. No token does, so the agent refreshes, unless the current token is brand new. */
function askForLongToken(desk: TestDesktop): Promise<void> {
  const options = { socketPath: path.join(desk.dataFolder, 'agent.sock'), path: '/v1/token?min_validity=86400' }
  return new Promise((resolve) => {
    get(options, (answer) => answer.resume().once('close', resolve)).once('error', () => resolve())
  })
}

/** Makes the app refresh, by asking for long-lived tokens until the app has refreshed. */
export async function causeRefreshes(desk: TestDesktop, times = 1): Promise<void> {
  const before = desk.count('refresh')
  const counted = async () => {
    await askForLongToken(desk)
    return desk.count('refresh')
  }
  await expect.poll(counted, { timeout: times * 20_000, interval: 250 }).toBeGreaterThanOrEqual(before + times)
}
