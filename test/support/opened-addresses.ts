/** Records the addresses that the app asks the system to open, instead of opening them. */
import type { RunningApp } from './app.ts'
import { eventually } from './eventually.ts'

type Kept = { opened?: string[] }

export async function watchOpenedAddresses({
  app,
}: Pick<RunningApp, 'app'>): Promise<{ opened(): Promise<readonly string[]>; next(count: number): Promise<string> }> {
  await app.evaluate(({ shell }) => {
    const kept = globalThis as Kept
    kept.opened = []
    shell.openExternal = async (address) => void kept.opened?.push(address)
  })
  const opened = () => app.evaluate(() => (globalThis as Kept).opened ?? [])
  return {
    opened,
    async next(count) {
      await eventually(async () => (await opened()).length).toBe(count)
      return (await opened())[count - 1] ?? ''
    },
  }
}
