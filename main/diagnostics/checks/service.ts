import { isUnencrypted, type Outcome } from '../../../contract/failures.ts'
import { causeInWords } from '../../../text/cause.ts'
import type { Finding } from '../line.ts'
import { hostOf, type Ports, type Reply, type Target } from '../ports.ts'

export interface TimedOutcome {
  readonly outcome: Outcome<Reply>
  /** The time of the answer, in milliseconds since the epoch, by this desktop's clock. */
  readonly at: number
}

/** The service refuses a login without credentials, and a provider refuses a GET at its token endpoint. */
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

const header = ({ headers }: Reply, name: string): string => [headers[name] ?? ''].flat().join(', ')
const isPage = (reply: Reply): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(header(reply, 'content-type'))

/** Checks that the answer is from the service itself, not from a portal or gateway in front of it. */
export function checkService({ kind, url }: Target, { outcome }: TimedOutcome, { texts }: Ports<'texts'>): Finding {
  const says = texts.diagnostics.service
  const host = hostOf(url)
  if (!outcome.ok) {
    const { code, details } = outcome.failure
    const cause = details?.cause ?? code
    const reached = isUnencrypted(outcome.failure) ? says.unencrypted : says.unreached
    const say = cause === 'ECONNREFUSED' ? says.closed : reached
    return { state: 'failed', ...say(host, causeInWords(texts.causes, cause)) }
  }
  const reply = outcome.value
  const { status } = reply
  const good: Finding = { state: 'ok', sentence: says.good(host, status) }
  if (status >= 500) return { state: 'failed', ...says.ill(host, status) }
  if (status >= 300 && status < 400) return { state: 'failed', ...says.redirects(host, status) }
  // A provider may refuse the GET with an error page, so the checks below are only for the service.
  if (kind === 'provider') return good
  // A gateway in front of the service may handle the Basic authentication and send an HTML page with its 401.
  const asksForBasic = status === 401 && /\bbasic\b/i.test(header(reply, 'www-authenticate'))
  if (isPage(reply) && !asksForBasic) return { state: 'failed', ...says.page(host) }
  if (status === 404) return { state: 'failed', ...says.notThere(host) }
  if (status === 429) return { state: 'warning', ...says.tooMany(host) }
  if (status < 300) return { state: 'warning', ...says.unasked(host, status) }
  return good
}
