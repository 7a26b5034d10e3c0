import { isUnencrypted, type Outcome } from '../../../contract/failures.ts'
import { causeInWords } from '../../../text/cause.ts'
import { hostOf } from '../../service/response.ts'
import type { Finding } from '../line.ts'
import type { Ports, StatusAndHeaders, Target } from '../ports.ts'

interface TimedOutcome {
  readonly outcome: Outcome<StatusAndHeaders>
  /** The time of the response, in milliseconds since the epoch, by this desktop's clock. */
  readonly at: number
}

/** The check sends a GET without credentials, which a service refuses. A provider refuses any GET. */
const PATHS: { readonly [K in Target['kind']]: string } = { service: 'auth/login', provider: 'oauth/token' }

/** SECURITY: sends no credentials, so the check can't leak them or lock an account. */
export async function askService(
  { kind, url }: Target,
  { send, clock }: Ports<'send' | 'clock'>,
): Promise<TimedOutcome> {
  const asked = new URL(`${url.href}${url.href.endsWith('/') ? '' : '/'}${PATHS[kind]}`)
  const outcome = await send({ operation: 'connect', method: 'GET', url: asked })
  return { outcome, at: clock.wall() }
}

const header = ({ headers }: StatusAndHeaders, name: string): string => [headers[name] ?? ''].flat().join(', ')
const isPage = (response: StatusAndHeaders): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(header(response, 'content-type'))

/** Checks that the response is from the service itself, not from a portal or gateway in front of it. */
export function checkService(
  { kind, url, hasBrowserSignIn = false }: Target,
  { outcome }: TimedOutcome,
  { texts }: Ports<'texts'>,
): Finding {
  const says = texts.diagnostics.service
  const host = hostOf(url)
  if (!outcome.ok) {
    const { code, details } = outcome.failure
    const cause = details?.cause ?? code
    const reached = isUnencrypted(outcome.failure) ? says.unencrypted : says.unreached
    const say = cause === 'ECONNREFUSED' ? says.closed : reached
    return { state: 'failed', ...say(host, causeInWords(texts.causes, cause)) }
  }
  const response = outcome.value
  const { status } = response
  const good: Finding = { state: 'ok', sentence: says.good(host, status) }
  if (status >= 500) return { state: 'failed', ...says.ill(host, status) }
  if (status >= 300 && status < 400) return { state: 'failed', ...says.redirects(host, status) }
  // A provider may refuse the GET with an error page.
  if (kind === 'provider') return good
  // A gateway in front of the service may handle the Basic authentication and send an HTML page with its 401.
  const asksForBasic = status === 401 && /\bbasic\b/i.test(header(response, 'www-authenticate'))
  if (isPage(response) && !asksForBasic) return { state: 'failed', ...says.page(host) }
  if (status === 404 && !hasBrowserSignIn) return { state: 'failed', ...says.notThere(host) }
  if (status === 429) return { state: 'warning', ...says.tooMany(host) }
  if (status < 300) return { state: 'warning', ...says.unasked(host, status) }
  return good
}

/** Smaller differences are ignored: the `Date` header only has whole seconds, and a response takes some time. */
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
