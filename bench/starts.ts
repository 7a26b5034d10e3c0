/** The milliseconds from the start of a process until its icon or window appears, or until a tool gets a token. */
import type { Desktop } from './desktop.ts'
import { answered } from './load.ts'
import { during, type Program } from './program.ts'
import type { Figure } from './report.ts'
import { interleave } from './rounds.ts'

/** Measures hidden starts, as at login, with a session to restore. */
export async function startHidden(
  { programs, tray, socketOf, bareTokens }: Desktop,
  rounds: number,
): Promise<Figure[]> {
  const taken = await interleave(rounds, {
    latchkey: () =>
      during(programs.latchkey, async ({ pid, startedAt }) => {
        const [icon, answeredAt] = await Promise.all([tray.iconOf(pid), answered(socketOf(programs.latchkey))])
        return { icon: icon.shownAt - startedAt, token: answeredAt - startedAt }
      }),
    bareIcon: () =>
      during(programs.bareTray, async ({ pid, startedAt }) => (await tray.iconOf(pid)).shownAt - startedAt),
    bareToken: () => during(programs.bareToken, async ({ startedAt }) => (await bareTokens.next()) - startedAt),
  })
  const of = (name: 'icon' | 'token') => ({
    name,
    unit: 'ms' as const,
    latchkey: taken.latchkey.map((each) => each[name]),
  })
  return [
    { what: 'start to icon', limit: 1.25, ...of('icon'), bare: taken.bareIcon },
    { what: 'start to first token', limit: 1.7, ...of('token'), bare: taken.bareToken },
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
