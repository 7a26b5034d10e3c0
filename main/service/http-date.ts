const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** Some servers send a fraction, such as `30.5`. */
const SECONDS = /^\s*\d+(?:\.\d+)?\s*$/
const LONGEST_WAIT = 3600

/** Parses an HTTP-date in any of its three forms (RFC 9110 section 5.6.7) to milliseconds since the epoch. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // An asctime date has no time zone and means UTC.
  const told = ASCTIME.test(text) ? `${text} GMT` : IMF_FIXDATE.test(text) || RFC_850.test(text) ? text : ''
  const time = Date.parse(told)
  return Number.isNaN(time) ? undefined : time
}

/**
 * Seconds to wait, from `Retry-After` (RFC 9110 section 10.2.3), between 0 and 3600.
 * @param now milliseconds since the epoch by the server's own clock, so that a wrong desktop clock does no harm
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = SECONDS.test(text) ? Number(text) : ((parseHttpDate(text) ?? Number.NaN) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT)
}
