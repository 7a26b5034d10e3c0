import { causeInWords } from '../../../text/cause.ts'
import { problemOf } from '../chain.ts'
import type { Finding } from '../line.ts'
import { hostOf, type Ports } from '../ports.ts'
import { probeTls } from '../tls-probe.ts'

const DAY = 86_400_000
/**
 * Most certificates are replaced a month before they expire. A certificate that is closer to its end than this was
 * probably forgotten.
 */
const SOON = 14 * DAY

export async function checkCertificate(
  url: URL,
  ports: Ports<'routeFor' | 'trusted' | 'identityFor' | 'clock' | 'texts'>,
  signal: AbortSignal,
): Promise<Finding> {
  const { texts, clock } = ports
  const says = texts.diagnostics.certificate
  const host = hostOf(url)
  // The settings allow plain http only for an address of this machine.
  if (url.protocol === 'http:') return { state: 'ok', sentence: says.notNeeded(host) }
  const seen = await probeTls(url, ports, signal)
  if (seen.kind === 'unreached')
    return { state: 'failed', isUnreached: true, ...says.unreached(host, causeInWords(texts.causes, seen.cause)) }

  const now = clock.wall()
  const daysLeft = (until: number) => Math.floor((until - now) / DAY)
  const details = [
    ...seen.chain.map((each, index) => says.link(index, each, daysLeft(each.validTo))),
    ...(seen.protocol === undefined ? [] : [seen.protocol]),
  ]
  if (seen.error !== undefined) {
    const { kind, failing } = problemOf(seen.chain, seen.error, now)
    const cause = causeInWords(texts.causes, seen.error)
    return { state: 'failed', ...says.untrusted(host, { kind, failing, cause, names: seen.names }), details }
  }
  const first = seen.chain.reduce(
    (soonest, each) => (each.validTo < soonest.validTo ? each : soonest),
    seen.chain[0] ?? NONE,
  )
  if (first.validTo - now < SOON)
    return { state: 'warning', ...says.endsSoon(host, first, daysLeft(first.validTo)), details }
  return { state: 'ok', sentence: says.good(host, first, daysLeft(first.validTo)), details }
}

const NONE = { subject: '?', issuer: '?', validFrom: 0, validTo: 0 }
