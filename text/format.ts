/** Times and durations in the user's language. Plurals come with them: `Intl` inflects the units. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface Format {
  /** A clock time, with its day where that isn't today. Both in milliseconds since the epoch. */
  readonly moment: (at: number, now: number) => string
  /** Time that is left, in a few characters and rounded down: `41 min`, `1 hr 5 min`. In milliseconds. */
  readonly left: (duration: number) => string
  /** Time to wait, spelled out and rounded up: `12 seconds`, `2 minutes`. In milliseconds. */
  readonly wait: (duration: number) => string
  /** Date, time and zone of an ISO 8601 moment; the text itself where it is none. */
  readonly timestamp: (iso: string) => string
}

/**
 * @param language of the words.
 * @param locale of the person, who keeps the 12 or 24 hour clock even where the words are in another language.
 */
export function createFormat(language: string, locale: string = language): Format {
  const hourCycle = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle ?? 'h23'
  const clock = { hour: 'numeric', minute: '2-digit', hourCycle } as const
  const time = new Intl.DateTimeFormat(language, clock)
  const timeOfDay = new Intl.DateTimeFormat(language, { weekday: 'short', ...clock })
  const timeOfDate = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...clock })
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', hourCycle })
  const list = new Intl.ListFormat(language, { type: 'unit', style: 'narrow' })

  const unit = (count: number, name: string, unitDisplay: 'short' | 'long'): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay }).format(count)

  const pair = (
    duration: number,
    [large, largeName]: [number, string],
    [small, smallName]: [number, string],
  ): string => {
    const count = Math.floor(duration / large)
    const rest = Math.floor((duration % large) / small)
    const parts = [unit(count, largeName, 'short')]
    if (rest > 0) parts.push(unit(rest, smallName, 'short'))
    return list.format(parts)
  }

  return {
    moment(at, now) {
      if (new Date(at).toDateString() === new Date(now).toDateString()) return time.format(at)
      return Math.abs(at - now) < 6 * DAY ? timeOfDay.format(at) : timeOfDate.format(at)
    },
    left(duration) {
      if (duration >= DAY) return pair(duration, [DAY, 'day'], [HOUR, 'hour'])
      if (duration >= HOUR) return pair(duration, [HOUR, 'hour'], [MINUTE, 'minute'])
      return unit(Math.max(0, Math.floor(duration / MINUTE)), 'minute', 'short')
    },
    wait(duration) {
      if (duration > 90 * MINUTE) return unit(Math.ceil(duration / HOUR), 'hour', 'long')
      if (duration > 90 * SECOND) return unit(Math.ceil(duration / MINUTE), 'minute', 'long')
      return unit(Math.max(1, Math.ceil(duration / SECOND)), 'second', 'long')
    },
    timestamp(iso) {
      const at = Date.parse(iso)
      return Number.isNaN(at) ? iso : full.format(at)
    },
  }
}
