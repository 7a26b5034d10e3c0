import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../contract/failures.ts'
import { texts } from '../../../test/support/healthy-desktop.ts'
import type { KeychainProbe } from '../../keychain/open.ts'
import type { LineState } from '../line.ts'
import type { StatusAndHeaders, Target } from '../ports.ts'
import { redactLine } from '../redact.ts'
import { problemOf } from './certificate.ts'
import { checkKeychain } from './keychain.ts'
import { schemesIn } from './proxy.ts'
import { checkClock, checkService } from './service.ts'
import { checkTray } from './system.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const url = new URL('https://data.test')
const answer = (status: number, headers: StatusAndHeaders['headers'] = {}): Outcome<StatusAndHeaders> => ({
  ok: true,
  value: { status, headers },
})
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const BASIC = { ...HTML, 'www-authenticate': 'Basic realm="x"' }

describe('the check of a service', () => {
  const judged = (outcome: Outcome<StatusAndHeaders>, kind: Target['kind'] = 'service') =>
    checkService({ kind, url }, { outcome, at: AT }, { texts })

  test.each<[string, Outcome<StatusAndHeaders>, LineState, RegExp]>([
    ['that refuses a sign-in without credentials is ok', answer(401), 'ok', /data\.test:443 responds \(HTTP 401\)/],
    ['behind a gateway that asks for Basic credentials with a web page is ok', answer(401, BASIC), 'ok', /responds/],
    ['that is down fails', answer(503), 'failed', /responds with an error \(HTTP 503\)/],
    ['that redirects fails', answer(302), 'failed', /redirects \(HTTP 302\)/],
    ['that responds with a web page fails', answer(200, HTML), 'failed', /web page/],
    ['without a sign-in at its address fails', answer(404), 'failed', /no sign-in at this address/],
    ['that is rate limiting yields a warning', answer(429), 'warning', /rate limiting/],
    ['that accepts a sign-in without credentials yields a warning', answer(200), 'warning', /without credentials/],
  ])('%s', (_, outcome, state, sentence) => {
    expect(judged(outcome)).toMatchObject({ state, sentence: expect.stringMatching(sentence) })
  })

  test('without a sign-in at its address is ok if users sign in with their browser', () => {
    const target = { kind: 'service', url, hasBrowserSignIn: true } as const
    expect(checkService(target, { outcome: answer(404), at: AT }, { texts }).state).toBe('ok')
  })

  test('that can’t be reached gives advice for the cause: a closed port, plain HTTP or no answer', () => {
    const unreachable = (cause: string) => judged({ ok: false, failure: { code: 'unreachable', details: { cause } } })
    expect(unreachable('ECONNREFUSED').advice).toContain('Nothing answers at this address and port.')
    const plain = unreachable('EPROTO (wrong version number)')
    expect(plain.sentence).toContain('answered without encryption')
    expect(plain.advice).toContain('begin the address with http://')
    expect(unreachable('ENOTFOUND').sentence).toContain('can’t be reached: no such host (ENOTFOUND)')
  })

  test('is ok for an identity provider that refuses the request with a web page', () => {
    expect(judged(answer(404, HTML), 'provider').state).toBe('ok')
  })
})

describe('the clock', () => {
  const compared = (service: string | undefined) =>
    checkClock(url, { outcome: answer(401, service === undefined ? {} : { date: service }), at: AT }, { texts })

  test.each<[string, string | undefined, LineState, RegExp]>([
    ['is ok if it is a minute off', 'Sun, 01 Mar 2026 11:59:00 GMT', 'ok', /matches/],
    [
      'is wrong if it is more than that ahead',
      'Sun, 01 Mar 2026 11:58:59 GMT',
      'warning',
      /1 minute ahead of data\.test/,
    ],
    ['is wrong if it is hours behind', 'Sun, 01 Mar 2026 17:00:00 GMT', 'warning', /5 hours behind/],
    ['is unknown if the service sends no time', undefined, 'warning', /didn’t send the time/],
    ['is unknown if the service sends an invalid time', 'soon', 'warning', /didn’t send the time/],
  ])('%s', (_, date, state, sentence) => {
    expect(compared(date)).toMatchObject({ state, sentence: expect.stringMatching(sentence) })
  })
})

test.each<[KeychainProbe, LineState]>([
  [{ kind: 'works' }, 'ok'],
  [{ kind: 'locked' }, 'warning'],
  [{ kind: 'absent', cause: 'no bus' }, 'warning'],
  [{ kind: 'failing', cause: 'no answer' }, 'failed'],
])('if the keychain is %o, the result of the check is “%s”', async (found, state) => {
  const finding = await checkKeychain({ tryKeychain: async () => found, otherEntries: [], texts })
  expect(finding.state).toBe(state)
  if ('cause' in found) expect(finding.sentence).toContain(found.cause)
})

test('the keychain check lists the entries that belong to other machine ids', async () => {
  const name = `https://data.example.com/ session ${'1f3a09bc'.repeat(4)}`
  const tryKeychain = async () => ({ kind: 'works' }) as const
  const finding = await checkKeychain({ tryKeychain, otherEntries: [name], texts })
  const { details } = redactLine({ check: 'keychain', ...finding }, { home: '/home/ana', name: 'ana' })
  expect(details).toEqual([expect.stringContaining('https://data.example.com/ session 1f3a09bc…')])
})

test.each([
  ['linux', 'present', 'ok'],
  ['linux', 'absent', 'warning'],
  ['darwin', 'absent', 'ok'],
] as const)('on %s, if the tray is %s, the result of the check is “%s”', async (platform, host, state) => {
  expect((await checkTray({ platform, askTrayHost: async () => host, texts })).state).toBe(state)
})

test.each([
  [
    ['Negotiate', 'NTLM'],
    ['NTLM', 'Negotiate'],
  ],
  [
    ['negotiate, basic realm="NTLM, Digest"', 'NTLMish'],
    ['Basic', 'Negotiate'],
  ],
  [['Digest realm="a\\", NTLM", nonce="b"'], ['Digest']],
])('in a proxy’s challenges %o, these schemes are found: %o', (values, schemes) => {
  expect(schemesIn(values.flatMap((value) => ['Proxy-Authenticate', value]))).toEqual(schemes)
})

const certificate = (subject: string, validFrom: number, validTo: number) => {
  return { subject, issuer: '', validFrom, validTo }
}
const chain = [certificate('leaf', 10, 90), certificate('between', 60, 90), certificate('root', 0, 20)]

test.each([
  ['CERT_HAS_EXPIRED', 50, 'ended', 'root'],
  ['CERT_NOT_YET_VALID', 50, 'early', 'between'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 50, 'unknownIssuer', 'root'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 50, 'otherHost', 'leaf'],
  ['anything else', 50, 'other', 'leaf'],
])('the error %s at the time %d has the meaning %s, and is about the certificate “%s”', (code, now, kind, subject) => {
  expect(problemOf(chain, code, now)).toMatchObject({ kind, failing: { subject } })
})
