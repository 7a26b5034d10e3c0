/** From the start of a process to what a person, or a tool, sees of it. Milliseconds. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce } from '../load.ts'
import type { Desk } from './desk.ts'
import { type Program, type Running, start } from './program.ts'
import { alternate, type Figure } from './rounds.ts'

const REQUEST = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n'
/** Milliseconds between two tries to reach an agent. */
const PACE = 2
const PATIENCE = 60_000

/** Hidden, with a session to restore: until the icon is shown, and until the agent serves a token. */
export async function startHidden({ programs, tray, bareRefresh }: Desk, rounds: number): Promise<Figure[]> {
  const taken = await alternate(rounds, {
    ours: () =>
      during(programs.latchkey, async ({ pid, startedAt }) => {
        const socket = path.join(programs.latchkey.dataFolder, 'agent.sock')
        const [icon, servedAt] = await Promise.all([tray.iconOf(pid), served(socket)])
        return { tray: icon.shownAt - startedAt, agent: servedAt - startedAt }
      }),
    async floor() {
      const shown = await during(programs.bareTray, async ({ pid, startedAt }) => {
        const { shownAt } = await tray.iconOf(pid)
        return shownAt - startedAt
      })
      return { tray: shown, agent: shown + (await bareRefresh()) }
    },
  })
  const of = (name: 'tray' | 'agent') => ({
    unit: 'ms' as const,
    ours: taken.ours.map((each) => each[name]),
    floor: taken.floor.map((each) => each[name]),
  })
  return [
    { name: 'start to tray icon, hidden', most: 1.1, ...of('tray') },
    { name: 'start to token served, hidden', most: 1.2, ...of('agent') },
  ]
}

/** Until the sign-in form, or the one heading, is painted. */
export async function startShown({ programs, screen }: Desk, rounds: number): Promise<Figure[]> {
  const paint = (program: Program) => async () => {
    const taken = await during(program, async ({ startedAt }) => (await screen.painted()) - startedAt)
    // The server takes a dead window away.
    await screen.emptied()
    return taken
  }
  const taken = await alternate(rounds, { ours: paint(programs.signInForm), floor: paint(programs.bareWindow) })
  return [{ name: 'start to sign-in form painted', unit: 'ms', most: 1.2, ...taken }]
}

/** Both run, hidden; their windows have been open once. From the click on the icon until the window is painted. */
export async function openAgain({ programs, screen, tray }: Desk, rounds: number): Promise<Figure[]> {
  const [ours, floor] = [start(programs.latchkey), start(programs.bareTray)]
  try {
    const open =
      ({ pid }: Running) =>
      async () => {
        const icon = await tray.iconOf(pid)
        const clickedAt = performance.now()
        const [paintedAt] = await Promise.all([screen.painted(), icon.click()])
        await screen.close(pid)
        return paintedAt - clickedAt
      }
    // What follows the start is over.
    await Promise.all([tray.iconOf(ours.pid), tray.iconOf(floor.pid)])
    await sleep(5_000)
    // The first round, which isn't counted, is the first opening.
    const taken = await alternate(rounds, { ours: open(ours), floor: open(floor) })
    return [{ name: 'second opening of the window, click to painted', unit: 'ms', most: 1.2, ...taken }]
  } finally {
    await ours.end()
    await floor.end()
  }
}

async function during<T>(program: Program, look: (running: Running) => Promise<T>): Promise<T> {
  const running = start(program)
  try {
    return await look(running)
  } finally {
    await running.end()
  }
}

/** When an agent has handed out a token: `performance.now()`. */
async function served(socket: string): Promise<number> {
  const deadline = performance.now() + PATIENCE
  while (performance.now() < deadline) {
    const answer = await askOnce({ socket, request: REQUEST }).catch(() => undefined)
    if (answer?.toString('latin1', 9, 12) === '200') return performance.now()
    await sleep(PACE)
  }
  throw new Error('the agent served no token')
}
