/** The milliseconds from the start of a process until its icon or window appears, or until a tool gets a token. */
import { answered } from './agent.ts'
import type { Desktop } from './desktop.ts'
import { during, type Program } from './program.ts'
import { type Figure, interleave } from './report.ts'

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
