/** What the app asks the system to open outside: kept, and not opened. */
import type { RunningApp } from './app.ts'
import { eventually } from './eventually.ts'

type Kept = { opened?: string[] }

export async function watchOutside({
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
    /** The address that is opened as the `count`th. */
    async next(count) {
      await eventually(async () => (await opened()).length).toBe(count)
      return (await opened())[count - 1] ?? ''
    },
  }
}
