import { isWorkTime, MINUTE, type Schedule, SECOND, type Span } from './week.ts'

/** The load on the service, in requests per second. */
export interface LoadFigures {
  readonly total: number
  /** The mean during working hours. */
  readonly mean: number
  /** In 99 % of the seconds of working hours, at most this many requests arrive. */
  readonly p99: number
  readonly peak: number
  /** The time of the peak, in milliseconds since Monday, midnight. */
  readonly peakAt: number
  /** The peak during the ten minutes after the outage. */
  readonly peakAfterOutage: number
}

/** A span's range in seconds: the index of its first second, and of the first second after its end. */
const seconds = ({ from, to }: Span): [number, number] => [Math.floor(from / SECOND), Math.floor(to / SECOND)]

export function figuresOf(load: Uint32Array, { end, outage }: Schedule): LoadFigures {
  const week = load.subarray(...seconds({ from: 0, to: end }))
  const work = week.filter((_, second) => isWorkTime(second * SECOND)).sort()
  const peak = largest(week)
  return {
    total: week.reduce((sum, each) => sum + each, 0),
    mean: work.reduce((sum, each) => sum + each, 0) / work.length,
    p99: work[Math.floor(work.length * 0.99)] ?? 0,
    peak,
    peakAt: week.indexOf(peak) * SECOND,
    peakAfterOutage: largest(load.subarray(...seconds({ from: outage.to, to: outage.to + 10 * MINUTE }))),
  }
}

const largest = (load: Uint32Array): number => load.reduce((most, each) => Math.max(most, each), 0)
