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
      await expect.poll(async () => (await opened()).length).toBe(count)
      return (await opened())[count - 1] ?? ''
    },
  }
}
