import type { Finding } from '../line.ts'
import { hostOf, type Ports } from '../ports.ts'
import type { TimedOutcome } from './service.ts'

/** Smaller differences are ignored: the `Date` header only has whole seconds, and an answer takes some time. */
const TOLERANCE_MS = 60_000

/** Compares this desktop's clock with the service's (`Date`, RFC 9110 section 6.6.1). */
export function checkClock(url: URL, { outcome, at }: TimedOutcome, { texts }: Ports<'texts'>): Finding {
  const says = texts.diagnostics.clock
  const host = hostOf(url)
  const told = outcome.ok ? outcome.value.headers['date'] : undefined
  const time = typeof told === 'string' ? Date.parse(told) : Number.NaN
  if (Number.isNaN(time)) return { state: 'warning', ...says.unknown(host) }
  const ahead = at - time
  if (Math.abs(ahead) > TOLERANCE_MS) return { state: 'warning', ...says.wrong(Math.abs(ahead), ahead > 0, host) }
  return { state: 'ok', sentence: says.good(host) }
}
