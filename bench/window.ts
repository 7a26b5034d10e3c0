/** The milliseconds from the click on the icon until the reopened window is painted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Desktop } from './desktop.ts'
import { during, type Running } from './program.ts'
import { type Figure, interleave } from './report.ts'

/** The wait after opening or closing a window. */
const SETTLE_MS = 1_500

export function reopen(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { programs, tray } = desktop
  const open = (running: Running) => openAndClose(desktop, running)
  return during(programs.latchkey, (latchkey) =>
    during(programs.bareTray, async (bare) => {
      await Promise.all([tray.iconOf(latchkey.pid), tray.iconOf(bare.pid)])
      await sleep(SETTLE_MS)
      // The first opening takes longer, so it doesn't count.
      for (const each of [latchkey, bare]) await open(each)
      const taken = await interleave(rounds, { latchkey: () => open(latchkey), bare: () => open(bare) })
      return [{ name: 'reopen', what: 'opening the window again', unit: 'ms', limit: 1.6, ...taken }]
    }),
  )
}

/** Returns how long the window took to open. */
export async function openAndClose({ tray, screen }: Desktop, { pid }: Running) {
  const icon = await tray.iconOf(pid)
  const clickedAt = performance.now()
  const [paintedAt] = await Promise.all([screen.painted(), icon.click()])
  process.kill(pid, 'SIGWINCH')
  await screen.emptied()
  await sleep(SETTLE_MS)
  return paintedAt - clickedAt
}
