import type { FleetResult } from './fleet.ts'
import { figuresOf } from './load.ts'
import { DAY, HOUR, MINUTE, type Schedule, SECOND } from './week.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

interface Fleet {
  readonly name: string
  readonly result: FleetResult
}

export function table(fleets: readonly Fleet[], schedule: Schedule) {
  const row = (title: string, cell: (fleet: FleetResult) => string) =>
    [title, Object.fromEntries(fleets.map(({ name, result }) => [name, cell(result)]))] as const
  const load = (title: string, cell: (figures: ReturnType<typeof figuresOf>) => string) =>
    row(title, (result) => cell(figuresOf(result.load, schedule)))
  const rows = [
    load('requests', ({ total }) => whole(total)),
    load('requests per second, mean in working hours', ({ mean }) => mean.toFixed(1)),
    load('requests per second, p99 in working hours', ({ p99 }) => whole(p99)),
    load('requests per second, peak', ({ peak }) => whole(peak)),
    load('time of the peak', ({ peakAt }) => moment(peakAt)),
    load('requests per second, peak after the outage', ({ peakAfterOutage }) => whole(peakAfterOutage)),
    row('time from the end of the outage until all desktops are back', ({ lastBack }) => duration(lastBack)),
    row('desktops never back', ({ neverBack }) => whole(neverBack)),
    row('desktops without a token during the outage', ({ withoutToken }) => whole(withoutToken)),
    row('replies lost', ({ repliesLost }) => whole(repliesLost)),
    row('sessions lost', ({ sessionsLost }) => whole(sessionsLost)),
    row('sessions lost because of a lost reply', ({ endedByLoss }) => whole(endedByLoss)),
  ]
  return Object.fromEntries(rows)
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (ms: number): string =>
  ms < MINUTE ? `${Math.ceil(ms / SECOND)} s` : `${Math.floor(ms / MINUTE)} min ${Math.ceil((ms % MINUTE) / SECOND)} s`

function moment(time: number): string {
  const minute = String(Math.floor((time % HOUR) / MINUTE)).padStart(2, '0')
  return `${DAYS[Math.floor(time / DAY)]} ${Math.floor((time % DAY) / HOUR)}:${minute}`
}
