/** A program's memory and wake-ups while its window is closed, from /proc (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTree } from '../test/support/processes.ts'
import type { Desktop } from './desktop.ts'
import { during, type Program } from './program.ts'
import { type Figure, interleave } from './report.ts'
import { openAndClose } from './starts.ts'

/** Memory is measured this long after the window has closed. The keychain's process ends after ten idle seconds. */
const MEMORY_SETTLE_MS = 14_000
const REST_SETTLE_MS = 30_000
/** The app checks its clock at this interval. */
const REST_ROUND_MS = 30_000
/** When a thread ends, its wake-ups since the last look are lost. */
const LOOK_MS = 2_000

/** Programs run one at a time, because PSS (proportional set size) divides shared memory among its users. */
export async function memory(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { latchkey, bareTray } = desktop.programs
  const measure = (program: Program) => () =>
    during(program, async (running) => {
      await openAndClose(desktop, running)
      await sleep(MEMORY_SETTLE_MS)
      return processTree(running.pid).reduce((sum, { pid }) => sum + proportionalSetSize(pid), 0)
    })
  const taken = await interleave(rounds, { latchkey: measure(latchkey), bare: measure(bareTray) })
  return [{ name: 'memory', what: 'memory after the window is closed', unit: 'MB', limit: 1.15, ...taken }]
}

const proportionalSetSize = (pid: number): number =>
  (Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1_024) / 1e6

export function wakeUps({ programs, tray }: Desktop, rounds: number): Promise<Figure[]> {
  return during(programs.latchkey, (latchkey) =>
    during(programs.bareTray, async (bare) => {
      await Promise.all([tray.iconOf(latchkey.pid), tray.iconOf(bare.pid)])
      await sleep(REST_SETTLE_MS)
      const taken: Record<'latchkey' | 'bare', number[]> = { latchkey: [], bare: [] }
      for (let round = 0; round < rounds; round++) {
        const counts = await Promise.all([wakeUpsOf(latchkey.pid), wakeUpsOf(bare.pid)])
        taken.latchkey.push(counts[0])
        taken.bare.push(counts[1])
      }
      return [{ name: 'wake-ups', what: 'wake-ups per minute at rest', unit: '', limit: 1.5, ...taken }]
    }),
  )
}

/** How often a minute the program's threads wake up (voluntary context switches), from one round. */
async function wakeUpsOf(root: number): Promise<number> {
  const now = new Map<string, number>()
  const look = () => {
    for (const { pid } of processTree(root)) {
      for (const thread of attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
        const status = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')) ?? ''
        const count = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]
        if (count !== undefined) now.set(`${pid}/${thread}`, Number(count))
      }
    }
  }
  look()
  const before = new Map(now)
  for (let passed = 0; passed < REST_ROUND_MS; passed += LOOK_MS) {
    await sleep(LOOK_MS)
    look()
  }
  const woken = [...now].reduce((sum, [thread, count]) => sum + count - (before.get(thread) ?? 0), 0)
  return (woken * 60_000) / REST_ROUND_MS
}

/** Returns `undefined` if `read` fails, as it does when the process or thread has ended. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
