import type { FleetResult } from './fleet.ts'
import { DAY, HOUR, isWorkTime, MINUTE, type Schedule, SECOND } from './week.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** In requests per second. */
export function figuresOf(load: Uint32Array, { end, outage }: Schedule) {
  const between = (from: number, to: number) => load.subarray(Math.floor(from / SECOND), Math.floor(to / SECOND))
  const week = between(0, end)
  const work = week.filter((_, second) => isWorkTime(second * SECOND)).sort()
  const peak = largest(week)
  return {
    total: sum(week),
    mean: sum(work) / work.length,
    /** In 99 % of the seconds of working hours, at most this many requests arrive. */
    p99: work[Math.floor(work.length * 0.99)] ?? 0,
    peak,
    peakAt: week.indexOf(peak) * SECOND,
    /** The peak during the ten minutes after the outage. */
    peakAfterOutage: largest(between(outage.to, outage.to + 10 * MINUTE)),
  }
}

const largest = (load: Uint32Array): number => load.reduce((most, each) => Math.max(most, each), 0)
const sum = (load: Uint32Array): number => load.reduce((all, each) => all + each, 0)

export function column({ load, ...result }: FleetResult, schedule: Schedule) {
  const { total, mean, p99, peak, peakAt, peakAfterOutage } = figuresOf(load, schedule)
  return {
    requests: whole(total),
    'requests per second, mean in working hours': mean.toFixed(1),
    'requests per second, p99 in working hours': whole(p99),
    'requests per second, peak': whole(peak),
    'time of the peak': moment(peakAt),
    'requests per second, peak after the outage': whole(peakAfterOutage),
    'time from the end of the outage until all desktops are back': duration(result.lastBack),
    'desktops never back': whole(result.neverBack),
    'desktops without a token during the outage': whole(result.withoutToken),
    'replies lost': whole(result.repliesLost),
    'sessions lost': whole(result.sessionsLost),
    'sessions lost because of a lost reply': whole(result.endedByLoss),
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (ms: number): string =>
  ms < MINUTE ? `${Math.ceil(ms / SECOND)} s` : `${Math.floor(ms / MINUTE)} min ${Math.ceil((ms % MINUTE) / SECOND)} s`

function moment(time: number): string {
  const minute = String(Math.floor((time % HOUR) / MINUTE)).padStart(2, '0')
  return `${DAYS[Math.floor(time / DAY)]} ${Math.floor((time % DAY) / HOUR)}:${minute}`
}
