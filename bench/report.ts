/** The rounds as figures: each with its spread, and as a multiple of the floor's. */
import { type Measure, type Results, type Taken, WHOLE_PROCESS } from './measures.ts'
import { ratioOf, type Spread, spreadOf } from './statistics.ts'
import { AGENT, APP, BARE, BARE_APP, CURL, OIDC_AGENT } from './subjects.ts'

/**
 * Milliseconds, and multiples of what the floor took in the same round: a bare server in the same runtime, or curl on
 * one.
 */
export interface Row {
  readonly measure: string
  readonly subject: string
  readonly requestsPerRound: number
  readonly p50: Spread
  readonly p50OfFloor: Spread
  readonly p99?: Spread
  readonly p99OfFloor?: Spread
  /** The share of connections that were refused. */
  readonly refused: number
}

export interface Target {
  readonly what: string
  readonly most: number
  readonly value: number
  readonly isReached: boolean
}

export function rowsOf(results: Results): readonly Row[] {
  return [...results].flatMap(([measure, bySubject]) => {
    const floorOf = (subject: string) =>
      bySubject.get(measure === WHOLE_PROCESS ? CURL : subject === APP ? BARE_APP : BARE) ?? []
    return [...bySubject].map(([subject, rounds]) => rowOf(measure, subject, rounds, floorOf(subject)))
  })
}

function rowOf(measure: string, subject: string, rounds: readonly Taken[], floor: readonly Taken[]): Row {
  const [p50, floorP50] = [rounds, floor].map((each) => each.map((taken) => taken.p50)) as [number[], number[]]
  const p99 = rounds.flatMap((taken) => taken.p99 ?? [])
  const requests = rounds[0]?.requests ?? 0
  const refused = rounds.reduce((sum, taken) => sum + (taken.refused ?? 0), 0)
  return {
    measure,
    subject,
    requestsPerRound: requests,
    p50: spreadOf(p50),
    p50OfFloor: ratioOf(p50, floorP50),
    ...(p99.length === 0
      ? {}
      : {
          p99: spreadOf(p99),
          p99OfFloor: ratioOf(
            p99,
            floor.flatMap((taken) => taken.p99 ?? []),
          ),
        }),
    refused: refused / (requests * rounds.length),
  }
}

/** What is to be reached, for each Latchkey that was measured. */
export function targetsOf(rows: readonly Row[]): readonly Target[] {
  const find = (measure: Measure, subject: string) =>
    rows.find((row) => row.measure === measure && row.subject === subject)
  const targets: Target[] = []
  const add = (what: string, value: number | undefined, most: number) => {
    if (value !== undefined) targets.push({ what, value, most, isReached: value <= most })
  }
  const oidcAgent = find('one request, with connect', OIDC_AGENT)?.p50.median
  for (const subject of [AGENT, APP]) {
    const kept = find('one connection, kept', subject)
    add(`${subject}, kept connection, p50 in ms`, kept?.p50.median, 0.15)
    add(`${subject}, kept connection, p50 of its floor's`, kept?.p50OfFloor.median, 1.3)
    if (oidcAgent !== undefined) {
      add(`${subject}, kept connection, p50 of oidc-agent's socket`, kept && kept.p50.median / oidcAgent, 1)
    }
    for (const measure of ['100 connections, kept', '100 clients, each request with connect'] as const) {
      add(`${subject}, ${measure}, p99 of its floor's`, find(measure, subject)?.p99OfFloor?.median, 1.5)
    }
  }
  for (const { measure, subject, p50OfFloor } of rows) {
    if (measure === WHOLE_PROCESS && subject.startsWith('latchkey')) add(`${subject}, of curl`, p50OfFloor.median, 1.3)
  }
  return targets
}

const ms = ({ median, low, high }: Spread) => `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
const times = ({ median, low, high }: Spread) => `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`

/** For a terminal. */
export function table(rows: readonly Row[]): string {
  const lines = [['', 'p50 ms', 'of floor', 'p99 ms', 'of floor', 'refused']]
  let last = ''
  for (const { measure, subject, p50, p50OfFloor, p99, p99OfFloor, refused } of rows) {
    if (measure !== last) lines.push([measure])
    last = measure
    const late = p99 && p99OfFloor ? [ms(p99), times(p99OfFloor)] : ['', '']
    lines.push([
      `  ${subject}`,
      ms(p50),
      times(p50OfFloor),
      ...late,
      refused === 0 ? '' : `${(100 * refused).toFixed(1)} %`,
    ])
  }
  return columns(lines)
}

export function columns(lines: readonly (readonly string[])[]): string {
  const count = Math.max(...lines.map((line) => line.length))
  const cells = lines.filter((line) => line.length > 1)
  const widths = Array.from({ length: count }, (_, at) => Math.max(...cells.map((line) => (line[at] ?? '').length)))
  const pad = (cell: string, at: number) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}
