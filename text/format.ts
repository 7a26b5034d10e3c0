/** Times, durations and numbers in the user's language. `Intl` translates the units, with singular and plural. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MOST_ITEMS = 3

/** The forms of a text, by the language's own plural rules (Unicode TR 35). */
export type Plural = { readonly [R in Intl.LDMLPluralRule]?: string } & { readonly other: string }

export type Format = ReturnType<typeof createFormat>

/** `language` with the region of `locale`, or `locale` itself if it has the same language. */
function inRegionOf(locale: string, language: string): string {
  const { language: ofTimes, region } = new Intl.Locale(locale)
  const words = new Intl.Locale(language)
  if (words.language === ofTimes) return locale
  return region === undefined ? language : new Intl.Locale(words.language, { region }).toString()
}

/** The clock and the order of day and month are those of `locale`, whatever the `language` of the words. */
export function createFormat(language: string, locale: string = language) {
  // A formatter takes a millisecond or more to create, so each is created on first use: the first tray icon needs none.
  const clock = once(() => {
    const { hourCycle = 'h23' } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
    return { hour: 'numeric', minute: '2-digit', hourCycle } as const
  })
  const dates = (options: () => Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(inRegionOf(locale, language), options()))
  const time = dates(clock)
  const timeOfDay = dates(() => ({ weekday: 'short', ...clock() }))
  const timeOfDate = dates(() => ({ day: 'numeric', month: 'short', ...clock() }))
  const full = dates(() => ({ dateStyle: 'medium', timeStyle: 'long', hourCycle: clock().hourCycle }))
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
  const number = once(() => new Intl.NumberFormat(language))
  const rules = once(() => new Intl.PluralRules(language))
  const words = once(() => new Intl.ListFormat(language))
  const list = once(() => new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }))

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
    return list().format(parts)
  }

  return {
    /** A clock time, with the day unless that is today. `at` and `now`: milliseconds since the epoch. */
    moment(at: number, now: number): string {
      if (new Date(at).toDateString() === new Date(now).toDateString()) return time().format(at)
      return Math.abs(at - now) < 6 * DAY ? timeOfDay().format(at) : timeOfDate().format(at)
    },
    /** The time left, in a few characters and rounded down: `41 min`, `1 hr 5 min`. `duration`: milliseconds. */
    left(duration: number): string {
      if (duration >= DAY) return pair(duration, [DAY, 'day'], [HOUR, 'hour'])
      if (duration >= HOUR) return pair(duration, [HOUR, 'hour'], [MINUTE, 'minute'])
      return unit(Math.max(0, Math.floor(duration / MINUTE)), 'minute', 'short')
    },
    /** A time to wait, spelled out and rounded up: `12 seconds`, `2 minutes`. `duration`: milliseconds. */
    wait(duration: number): string {
      if (duration > 90 * MINUTE) return unit(Math.ceil(duration / HOUR), 'hour', 'long')
      if (duration > 90 * SECOND) return unit(Math.ceil(duration / MINUTE), 'minute', 'long')
      return unit(Math.max(1, Math.ceil(duration / SECOND)), 'second', 'long')
    },
    /** Whole minutes up to two hours, whole hours up to three days, then days: `61 minutes`. `duration`: milliseconds. */
    span(duration: number): string {
      if (duration >= 3 * DAY) return unit(Math.round(duration / DAY), 'day', 'long')
      if (duration >= 2 * HOUR) return unit(Math.round(duration / HOUR), 'hour', 'long')
      return unit(Math.round(duration / MINUTE), 'minute', 'long')
    },
    /** How long ago `at` was: `now`, `2 min ago`. `at` and `now`: milliseconds since the epoch. */
    ago(at: number, now: number): string {
      const passed = Math.max(0, now - at)
      if (passed < MINUTE) return relative().format(0, 'second')
      if (passed < HOUR) return relative().format(-Math.floor(passed / MINUTE), 'minute')
      if (passed < DAY) return relative().format(-Math.floor(passed / HOUR), 'hour')
      return relative().format(-Math.floor(passed / DAY), 'day')
    },
    number: (count: number): string => number().format(count),
    few(items: readonly string[], more: (count: string) => string): string {
      const rest = items.length - MOST_ITEMS
      return words().format([...items.slice(0, MOST_ITEMS), ...(rest > 0 ? [more(number().format(rest))] : [])])
    },
    plural: (count: number, forms: Plural): string => forms[rules().select(count)] ?? forms.other,
    /** Date, time and zone of an ISO 8601 timestamp. An invalid one is returned unchanged. */
    timestamp(iso: string): string {
      const at = Date.parse(iso)
      return Number.isNaN(at) ? iso : full().format(at)
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
