import { type Chart, draw } from './chart.ts'
import type { FleetResult } from './fleet.ts'
import { peaks } from './load.ts'
import { DAY, HOUR, MINUTE, type Schedule, SECOND, type Span } from './week.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The pictures by name: the whole week, its first morning, and the outage. */
export function charts(
  fleets: readonly { readonly name: string; readonly result: FleetResult }[],
  schedule: Schedule,
): ReadonlyMap<string, string> {
  const { end, outage, rollingRestart, wrongCertificate } = schedule
  const events = [
    { ...outage, label: 'outage' },
    { ...rollingRestart, label: 'restart' },
    { ...wrongCertificate, label: 'certificate' },
  ]
  const chart = (title: string, span: Span, piece: number, ticks: Chart['ticks']): string => {
    const at = (time: number) => (time - span.from) / (span.to - span.from)
    const marks = events.filter(({ from, to }) => from >= span.from && to <= span.to)
    return draw({
      title,
      ticks,
      marks: marks.map(({ from, to, label }) => ({ from: at(from), to: at(to), label })),
      curves: fleets.map(({ name, result }) => ({ name, values: peaks(result.load, span, piece) })),
    })
  }
  const clock = ({ from, to }: Span, step: number): Chart['ticks'] =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => {
      const time = (from + index * step) % DAY
      const label = `${Math.floor(time / HOUR)}:${String(Math.floor((time % HOUR) / MINUTE)).padStart(2, '0')}`
      return { at: (index * step) / (to - from), label }
    })

  const week = { from: 0, to: end }
  const days = DAYS.slice(0, end / DAY).map((label, day) => ({ at: ((day + 0.5) * DAY) / end, label }))
  const morning = { from: 8.5 * HOUR, to: 13 * HOUR }
  const around = { from: outage.from - 30 * MINUTE, to: outage.to + 30 * MINUTE }
  return new Map([
    ['fleet-week', chart('A week: the busiest second of each quarter of an hour', week, 15 * MINUTE, days)],
    [
      'fleet-morning',
      chart('Monday morning: the busiest second of each minute', morning, MINUTE, clock(morning, 30 * MINUTE)),
    ],
    [
      'fleet-outage',
      chart('The outage: the busiest second of every ten', around, 10 * SECOND, clock(around, 15 * MINUTE)),
    ],
  ])
}
