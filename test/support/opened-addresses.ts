import type { RunningApp } from './app.ts'
import { eventually } from './eventually.ts'

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
      await eventually(async () => (await opened()).length).toBe(count)
      return (await opened())[count - 1] ?? ''
    },
  }
}
