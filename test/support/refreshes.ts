import path from 'node:path'
import { expect } from 'vitest'
import { ask } from '../agent/client.ts'
import type { TestDesktop } from './test-desktop.ts'

/** Seconds: long enough for a scheduled refresh, but so short that a tool soon needs another token. */
export const SHORT_LIFETIME = 35

export async function causeRefresh(desk: TestDesktop): Promise<void> {
  const before = desk.count('refresh')
  const counted = async () => {
    // No token lives for a day, so the agent refreshes, unless the current token is brand new.
    await ask(path.join(desk.dataFolder, 'agent.sock'), '/v1/token?min_validity=86400').catch(() => {})
    return desk.count('refresh')
  }
  await expect.poll(counted, { interval: 250 }).toBeGreaterThan(before)
}
