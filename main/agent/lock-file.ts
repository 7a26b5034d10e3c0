import { lstat, open, rm, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock older than this was left by a process that died. Milliseconds. */
const STALE = 5_000
const RETRY_DELAY_MS = 20

/** Calls `work` while holding the lock. Rejects if the lock can't be taken. */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(lock))) await sleep(RETRY_DELAY_MS)
  try {
    return await work()
  } finally {
    await unlink(lock).catch(() => {})
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = await lstat(lock).catch(() => undefined)
  // If the clock was set back, an old lock may have a time in the future. Such a lock would stay valid for
  // too long.
  if (made !== undefined && Math.abs(Date.now() - made.mtimeMs) > STALE) await rm(lock, { force: true })
  return false
}
