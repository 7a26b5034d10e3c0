/** What a program costs that nobody looks at (Linux: proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTree } from '../../test/support/processes.ts'
import type { Desk } from './desk.ts'
import { type Program, start } from './program.ts'
import { alternate, type Figure } from './rounds.ts'

/** Seconds from the start until a program counts as at rest. */
export interface RestTimes {
  readonly settle: number
  /** Seconds for which its wake-ups are counted. */
  readonly idle: number
}

/** Proportional set size of all processes, each alone on the machine: MB. */
export async function memory({ programs, tray }: Desk, rounds: number, { settle }: RestTimes): Promise<Figure[]> {
  const take = (program: Program) => async () => {
    const running = start(program)
    try {
      await tray.iconOf(running.pid)
      await sleep(settle * 1_000)
      return processTree(running.pid).reduce((sum, { pid }) => sum + proportionalSetSize(pid), 0)
    } finally {
      await running.end()
    }
  }
  const taken = await alternate(rounds, { ours: take(programs.latchkey), floor: take(programs.bareTray) })
  return [{ name: `memory, hidden for ${settle} s`, unit: 'MB', most: 1.1, ...taken }]
}

const KIB = 1_024
const proportionalSetSize = (pid: number): number =>
  (Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * KIB) / 1e6

/** CPU time and wake-ups of both at the same time, minute by minute, once they have come to rest. */
export async function idle({ programs, tray }: Desk, { settle, idle: duration }: RestTimes): Promise<Figure[]> {
  const [ours, floor] = [start(programs.latchkey), start(programs.bareTray)]
  try {
    await Promise.all([tray.iconOf(ours.pid), tray.iconOf(floor.pid)])
    await sleep(settle * 1_000)
    const meters = { ours: new Meter(ours.pid), floor: new Meter(floor.pid) }
    const taken: Record<keyof typeof meters, Work[]> = { ours: [], floor: [] }
    const [minutes, slice] = [Math.max(1, Math.round(duration / 60)), Math.min(60, duration)]
    for (let minute = 0; minute < minutes; minute++) {
      for (const meter of Object.values(meters)) meter.reset()
      for (let look = 0; look < LOOKS; look++) {
        await sleep((slice * 1_000) / LOOKS)
        for (const meter of Object.values(meters)) meter.look()
      }
      for (const side of ['ours', 'floor'] as const) taken[side].push(perMinute(meters[side].done, slice))
    }
    const of = (name: keyof Work) => ({
      most: 1,
      isNoise: true as const,
      ours: taken.ours.map((each) => each[name]),
      floor: taken.floor.map((each) => each[name]),
    })
    return [
      { name: `CPU time a minute, hidden for ${duration / 60} min`, unit: 'ms', ...of('cpu') },
      { name: `wake-ups a minute, hidden for ${duration / 60} min`, unit: '', ...of('wakeUps') },
    ]
  } finally {
    await ours.end()
    await floor.end()
  }
}

/** A thread that ends between two looks takes what it has done since the last one along: so many looks a minute. */
const LOOKS = 12

interface Work {
  /** Milliseconds. */
  readonly cpu: number
  /** How often a thread has given up the processor by itself, and was woken again. */
  readonly wakeUps: number
}

const perMinute = ({ cpu, wakeUps }: Work, seconds: number): Work => ({
  cpu: (cpu * 60) / seconds,
  wakeUps: (wakeUps * 60) / seconds,
})

/** What all threads of a program's processes have done. */
class Meter {
  readonly #pid: number
  readonly #before = new Map<string, Work>()
  readonly #now = new Map<string, Work>()

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Counts from here. */
  reset(): void {
    this.#now.clear()
    this.look()
    this.#before.clear()
    for (const [thread, work] of this.#now) this.#before.set(thread, work)
  }

  look(): void {
    for (const { pid } of processTree(this.#pid)) {
      for (const thread of threadsOf(pid)) this.#now.set(`${pid}/${thread}`, workOf(pid, thread))
    }
  }

  get done(): Work {
    let [cpu, wakeUps] = [0, 0]
    for (const [thread, work] of this.#now) {
      const before = this.#before.get(thread)
      cpu += work.cpu - (before?.cpu ?? 0)
      wakeUps += work.wakeUps - (before?.wakeUps ?? 0)
    }
    return { cpu, wakeUps }
  }
}

const threadsOf = (pid: number): string[] => attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []

function workOf(pid: number, thread: string): Work {
  const file = (name: string) => attempt(() => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8')) ?? ''
  const nanoseconds = Number(file('schedstat').split(' ')[0])
  const wakeUps = Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(file('status'))?.[1] ?? 0)
  return { cpu: nanoseconds / 1e6, wakeUps }
}

/** It may have ended meanwhile. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
