/** What is measured, round by round, each subject after the other. */
import { type Command, time } from './commands.ts'
import { type Endpoint, type Load, run } from './load.ts'
import { median, quantile } from './statistics.ts'
import type { Subjects } from './subjects.ts'

/** What one round gave for one subject: milliseconds, and how many connections were refused. */
export interface Taken {
  readonly p50: number
  readonly p99?: number
  readonly refused?: number
  readonly requests: number
}

interface Task {
  readonly measure: string
  readonly subject: string
  readonly take: () => Promise<Taken>
}

/** By measure and subject: one entry a round. */
export type Results = ReadonlyMap<string, ReadonlyMap<string, readonly Taken[]>>

const LOADS = {
  'one connection, kept': { clients: 1, requests: 4_000, keep: true },
  '10 connections, kept': { clients: 10, requests: 10_000, keep: true },
  '100 connections, kept': { clients: 100, requests: 20_000, keep: true },
  'one request, with connect': { clients: 1, requests: 2_000, keep: false },
  '10 clients, each request with connect': { clients: 10, requests: 4_000, keep: false },
  '100 clients, each request with connect': { clients: 100, requests: 6_000, keep: false },
} as const satisfies Record<string, Load>
export const WHOLE_PROCESS = 'whole process'
export type Measure = keyof typeof LOADS | typeof WHOLE_PROCESS

const RUNS = 50

interface MeasureOptions {
  readonly rounds: number
  /** How much of the usual number of requests. */
  readonly scale: number
  /** What the names of the measures to take begin with. */
  readonly only: string
  onRound(round: number): void
}

export async function measure(
  { endpoints, commands }: Subjects,
  { rounds, scale, only, onRound }: MeasureOptions,
): Promise<Results> {
  const tasks: Task[] = []
  for (const [name, load] of Object.entries(LOADS)) {
    const requests = Math.max(load.clients * 2, Math.round(load.requests * scale))
    for (const [subject, endpoint] of endpoints) {
      if (load.keep && !endpoint.keeps) continue
      tasks.push({ measure: name, subject, take: () => takeLoad(endpoint, { ...load, requests }) })
    }
  }
  const runs = Math.max(2, Math.round(RUNS * scale))
  for (const [subject, command] of commands) {
    tasks.push({ measure: WHOLE_PROCESS, subject, take: () => takeTime(command, runs) })
  }
  const results = new Map<string, Map<string, Taken[]>>()
  const wanted = tasks.filter(({ measure }) => measure.startsWith(only))
  for (const { measure, subject } of wanted) {
    results.set(measure, (results.get(measure) ?? new Map<string, Taken[]>()).set(subject, []))
  }
  // The first is to get warm.
  for (let round = 0; round <= rounds; round++) {
    onRound(round)
    // To and fro, so that nobody always comes after the same.
    for (const { measure, subject, take } of round % 2 === 0 ? wanted : wanted.toReversed()) {
      const taken = await take()
      if (round > 0) results.get(measure)?.get(subject)?.push(taken)
    }
  }
  return results
}

async function takeLoad(endpoint: Endpoint, load: Load): Promise<Taken> {
  const { samples, refused } = await run(endpoint, load)
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), refused, requests: load.requests }
}

const takeTime = async (command: Command, runs: number): Promise<Taken> => ({
  p50: median(await time(command, runs)),
  requests: runs,
})
