import { expect } from 'vitest'
import type { RunningApp } from './app.ts'

type Kept = { opened?: string[] }

export async function watchOpenedAddresses({ app }: Pick<RunningApp, 'app'>) {
  await app.evaluate(({ shell }) => {
    const kept = globalThis as Kept
    kept.opened = []
    shell.openExternal = async (address) => void kept.opened?.push(address)
  })
  return {
    async next(count: number): Promise<string> {
      const opened = () => app.evaluate(() => (globalThis as Kept).opened ?? [])
      // If the second click of a double click comes late, it opens the address again.
      await expect.poll(async () => (await opened()).length).toBeGreaterThanOrEqual(count)
      return (await opened())[count - 1] ?? ''
    },
  }
}
