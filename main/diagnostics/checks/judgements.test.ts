import { expect, test } from 'vitest'
import type { Outcome } from '../../../contract/failures.ts'
import { texts } from '../../../test/support/healthy-desktop.ts'
import type { KeychainProbe } from '../../keychain/open.ts'
import type { LineState } from '../line.ts'
import type { StatusAndHeaders, Target } from '../ports.ts'
import { problemOf } from './certificate.ts'
import { checkKeychain } from './keychain.ts'
import { schemesIn } from './proxy.ts'
import { checkClock, checkService } from './service.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const url = new URL('https://data.test')
const answer = (status: number, headers: StatusAndHeaders['headers'] = {}): Outcome<StatusAndHeaders> => ({
  ok: true,
  value: { status, headers },
})
const OTHER = `https://data.test/ session ${'1f3a09bc'.repeat(4)}`
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const BASIC = { ...HTML, 'www-authenticate': 'Basic realm="x"' }

const unreached = (cause: string): Outcome<StatusAndHeaders> => {
  return { ok: false, failure: { code: 'unreachable', details: { cause } } }
}

test.each<[string, Outcome<StatusAndHeaders>, LineState, RegExp]>([
  ['refuses a sign-in without credentials', answer(401), 'ok', /data\.test:443 responds \(HTTP 401\)/],
  ['asks for Basic credentials with a web page', answer(401, BASIC), 'ok', /responds/],
  ['is down', answer(503), 'failed', /responds with an error \(HTTP 503\)/],
  ['responds with a web page', answer(200, HTML), 'failed', /web page/],
  ['has no sign-in at its address', answer(404), 'failed', /no sign-in at this address/],
  ['is rate limiting', answer(429), 'warning', /rate limiting/],
  ['doesn’t exist', unreached('ENOTFOUND'), 'failed', /can’t be reached: no such host \(ENOTFOUND\)/],
  ['has closed its port', unreached('ECONNREFUSED'), 'failed', /Nothing answers at this address and port\./],
  ['speaks plain HTTP', unreached('EPROTO (wrong version number)'), 'failed', /begin the address with http:/],
])('the check of a service that %s says so', (_, outcome, state, words) => {
  const found = checkService({ kind: 'service', url }, { outcome, at: AT }, { texts })
  expect(found.state).toBe(state)
  expect(`${found.sentence} ${found.advice}`).toMatch(words)
})

test('a refusal is fine from an identity provider, or from a service where users sign in with their browser', () => {
  const judged = (target: Omit<Target, 'url'>, headers = {}) =>
    checkService({ url, ...target }, { outcome: answer(404, headers), at: AT }, { texts }).state
  expect([judged({ kind: 'provider' }, HTML), judged({ kind: 'service', hasBrowserSignIn: true })]).toEqual([
    'ok',
    'ok',
  ])
})

test.each<[string, string | undefined, LineState, RegExp]>([
  ['a minute off', 'Sun, 01 Mar 2026 11:59:00 GMT', 'ok', /matches/],
  ['further ahead', 'Sun, 01 Mar 2026 11:58:59 GMT', 'warning', /1 minute ahead of data\.test/],
  ['hours behind', 'Sun, 01 Mar 2026 17:00:00 GMT', 'warning', /5 hours behind/],
  ['not known', undefined, 'warning', /didn’t send the time/],
])('the check of the clock says if the service’s time is %s', (_, date, state, sentence) => {
  const outcome = answer(401, date === undefined ? {} : { date })
  expect(checkClock(url, { outcome, at: AT }, { texts })).toMatchObject({
    state,
    sentence: expect.stringMatching(sentence),
  })
})

test('a keychain that is absent causes a warning, and one that fails a failure, each with its cause', async () => {
  const check = (found: KeychainProbe) =>
    checkKeychain({ tryKeychain: async () => found, otherEntries: [OTHER], texts })
  const absent = await check({ kind: 'absent', cause: 'no bus' })
  expect(absent).toMatchObject({ state: 'warning', sentence: expect.stringContaining('no bus') })
  // An entry that belongs to another machine id is named without its whole id, which would be hidden as a secret.
  expect(absent.details).toEqual([expect.stringContaining('https://data.test/ session 1f3a09bc…')])
  const failing = await check({ kind: 'failing', cause: 'no answer' })
  expect(failing).toMatchObject({ state: 'failed', sentence: expect.stringContaining('no answer') })
})

test.each([
  ['Negotiate, NTLM', ['NTLM', 'Negotiate']],
  ['negotiate, basic realm="NTLM, Digest", NTLMish', ['Basic', 'Negotiate']],
  ['Digest realm="a\\", NTLM", nonce="b"', ['Digest']],
])('in a proxy’s challenge %s, these schemes are found: %o', (value, schemes) => {
  expect(schemesIn(['Proxy-Authenticate', value])).toEqual(schemes)
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
