import { setTimeout as sleep } from 'node:timers/promises'
import { answered } from './agent.ts'
import type { Desktop } from './desktop.ts'
import { during, type Program, type Running } from './program.ts'
import { type Figure, interleave } from './report.ts'

const SETTLE_MS = 1_500

/** Measures hidden starts, as at login, with a session to restore. */
export async function startHidden({ programs, tray, socketOf }: Desktop, rounds: number): Promise<Figure[]> {
  const measure = (program: Program, isServer: boolean) => () =>
    during(program, async ({ pid, startedAt }) => {
      const token = isServer ? await answered(socketOf(program)) : Number.NaN
      return { icon: (await tray.iconOf(pid)).shownAt - startedAt, token: token - startedAt }
    })
  const taken = await interleave(rounds, {
    latchkey: measure(programs.latchkey, true),
    bareTray: measure(programs.bareTray, false),
    bareToken: measure(programs.bareToken, true),
  })
  const of = (name: 'icon' | 'token', bare: 'bareTray' | 'bareToken') => ({
    name,
    unit: 'ms' as const,
    latchkey: taken.latchkey.map((each) => each[name]),
    bare: taken[bare].map((each) => each[name]),
  })
  return [
    { what: 'start to icon', limit: 1.25, ...of('icon', 'bareTray') },
    { what: 'start to first token', limit: 1.7, ...of('token', 'bareToken') },
  ]
}

/** Measures the time until the sign-in form, or the bare app's heading, is painted. */
export async function startShown({ programs, screen }: Desktop, rounds: number): Promise<Figure[]> {
  const paint = (program: Program) => async () => {
    const taken = await during(program, async ({ startedAt }) => (await screen.painted()) - startedAt)
    await screen.emptied()
    return taken
  }
  const taken = await interleave(rounds, { latchkey: paint(programs.signInForm), bare: paint(programs.bareWindow) })
  return [{ name: 'form', what: 'start to sign-in form painted', unit: 'ms', limit: 1.5, ...taken }]
}

/** Measures the time from the click on the icon until the reopened window is painted. */
export function reopen(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { programs, tray } = desktop
  const open = (running: Running) => openAndClose(desktop, running)
  return during(programs.latchkey, (latchkey) =>
    during(programs.bareTray, async (bare) => {
      await Promise.all([tray.iconOf(latchkey.pid), tray.iconOf(bare.pid)])
      await sleep(SETTLE_MS)
      // The first opening takes longer.
      for (const each of [latchkey, bare]) await open(each)
      const taken = await interleave(rounds, { latchkey: () => open(latchkey), bare: () => open(bare) })
      return [{ name: 'reopen', what: 'opening the window again', unit: 'ms', limit: 1.6, ...taken }]
    }),
  )
}

export async function openAndClose({ tray, screen }: Desktop, { pid }: Running) {
  const icon = await tray.iconOf(pid)
  const clickedAt = performance.now()
  const [paintedAt] = await Promise.all([screen.painted(), icon.click()])
  process.kill(pid, 'SIGWINCH')
  await screen.emptied()
  await sleep(SETTLE_MS)
  return paintedAt - clickedAt
}
