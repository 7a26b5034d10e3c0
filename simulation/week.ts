/** Times are milliseconds since Monday, midnight. */
import type { Random } from '../main/base/retry.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const WORKDAYS = 5
const MORNING = 9 * HOUR
const EVENING = 17 * HOUR

export interface Span {
  readonly from: number
  readonly to: number
}

const span = (day: number, hour: number, minute: number, minutes: number): Span => {
  const from = day * DAY + hour * HOUR + minute * MINUTE
  return { from, to: from + minutes * MINUTE }
}

const schedule = (days: number, [outage, restart, certificate]: readonly [number, number, number]) => ({
  end: days * DAY,
  /** The time during which the service refuses connections. */
  outage: span(outage, 14, 15, 30),
  /** The instances restart one after the other, and one of every `instances` requests fails. */
  rollingRestart: { ...span(restart, 10, 45, 12), instances: 6 },
  /** The time during which the service has an untrusted certificate. */
  wrongCertificate: span(certificate, 11, 40, 20),
})

export type Schedule = ReturnType<typeof schedule>
export const WEEK = schedule(7, [1, 2, 3])
export const ONE_DAY = schedule(1, [0, 0, 0])

export const isIn = (time: number, { from, to }: Span): boolean => time >= from && time < to

/** Only the load during working hours is judged. */
export const isWorkTime = (time: number): boolean =>
  time < WORKDAYS * DAY && isIn(time % DAY, { from: MORNING, to: EVENING })

/** One computer in five never sleeps. The others wake on workdays, within a minute after nine, until the evening. */
export function wakingHours(end: number, random: Random): readonly Span[] {
  if (random() < 1 / 5) return [{ from: random() * HOUR, to: end }]
  const days = Array.from({ length: Math.min(WORKDAYS, Math.ceil(end / DAY)) }, (_, day) => day * DAY)
  return days.map((day) => ({
    from: day + MORNING + random() * MINUTE,
    to: day + EVENING + random() * 2 * HOUR,
  }))
}
