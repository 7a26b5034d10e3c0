import { formOf, readHead } from '../../main/agent/parse-request.ts'
import { accessToken, refreshToken } from '../../main/base/secret.ts'
import { schemesIn } from '../../main/diagnostics/checks/proxy.ts'
import { redact } from '../../main/diagnostics/redact.ts'
import { logLine } from '../../main/log/line.ts'
import { scrub } from '../../main/log/scrub.ts'
import { environmentProxy, isExempt, isReadByChromium, unusableVariable } from '../../main/network/environment.ts'
import { parsePacAnswer } from '../../main/network/pac.ts'
import { parseBundle } from '../../main/network/pem.ts'
import { shownVariables } from '../../main/network/shown-variables.ts'
import { schemesOf } from '../../main/service/challenges.ts'
import { failureOfError } from '../../main/service/exchange-error.ts'
import { plainText } from '../../main/service/plain-text.ts'
import {
  challengesBasic,
  commonFailure,
  failureOf,
  type HttpResponse,
  parseHttpDate,
  parseResponse,
  parseRetryAfter,
} from '../../main/service/response.ts'
import { providerTokens, tokenPair } from '../../main/service/schemas.ts'
import { decodeClaims } from '../../main/session/access-token.ts'
import { positionsIn } from '../../main/settings/json-positions.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { normaliseBaseAddress } from '../../main/settings/values.ts'
import { causeInWords } from '../../text/cause.ts'

const SERVICE = new URL('https://service.test/auth/login')
const SENT = [refreshToken(`b${'a'.repeat(65_535)}`), refreshToken('eyJ.'.repeat(16_000))]

function answer(body: string, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status: 422, headers, body: Buffer.from(body), details: {}, askedAt: 0, secrets: () => SENT }
}

function jwt(payload: string) {
  return accessToken(`e30.${Buffer.from(payload).toString('base64url')}.x`)
}

const LOG_LEVEL = { level: 'info', event: 'call.failed' } as const

const quarter = (text: string) => text.slice(0, text.length / 4)

/** The readers, by the source of their text. Add each new reader of text from outside. */
export const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['the service’s text about a failure', (text) => plainText(text, SENT)],
  ['a message in a response', (text) => failureOf(answer(JSON.stringify({ message: text })), 'rejected')],
  ['a response that isn’t JSON', (text) => [failureOf(answer(text), 'passwordRefused'), commonFailure(answer(text))]],
  [
    'the tokens in the service’s response',
    (text) => parseResponse(answer(JSON.stringify({ token: text, refreshToken: text })), tokenPair),
  ],
  [
    'the lifetime in the provider’s response',
    (text) => parseResponse(answer(`{"expires_in":${JSON.stringify(text)}}`), providerTokens),
  ],
  [
    'headers of a response',
    (text) => {
      const names = ['content-type', 'location', 'date', 'retry-after', 'www-authenticate']
      const given = answer('{}', Object.fromEntries(names.map((name) => [name, text])))
      return [302, 429].map((status) => [commonFailure({ ...given, status }), challengesBasic(given)])
    },
  ],
  ['dates', (text) => [parseHttpDate(text), parseRetryAfter(text, 0)]],
  [
    'the claims of a token',
    (text) => [accessToken(text), jwt(text), jwt(JSON.stringify({ name: text }))].map(decodeClaims),
  ],
  ['the challenges of a proxy', (text) => [schemesOf(text), schemesIn(['Proxy-Authenticate', text])]],
  [
    'an error of a connection',
    (text) => failureOfError(Object.assign(new Error(text), { code: text, reason: text }), {}, {}),
  ],
  ['the cause of a failure', (text) => causeInWords({ known: {}, about: {} }, text)],
  ['the result of a PAC script', parsePacAnswer],
  ['certificates', parseBundle],
  [
    'variables for proxies',
    (text) => [
      environmentProxy(SERVICE, { HTTPS_PROXY: text }),
      unusableVariable({ HTTPS_PROXY: text }),
      isReadByChromium({ kind: 'http', host: 'proxy.test', port: 1 }, { HTTPS_PROXY: text }),
      shownVariables({ HTTPS_PROXY: text, NO_PROXY: text, LATCHKEY_SOCKET: text }, 'linux'),
    ],
  ],
  ['names that are reached without a proxy', (text) => [isExempt('service.test', text), isExempt('192.0.2.1', text)]],
  ['an address', (text) => [normaliseBaseAddress(text), normaliseBaseAddress(`https://service.test/${text}`)]],
  // This reader gets a quarter of the text, because only an administrator writes this file, and garbage collection makes
  // the parser's work grow faster than the text.
  [
    'the policy file',
    (text) => [
      positionsIn(quarter(text)),
      parsePolicy('policy.json', `{"tls":{${quarter(text)}`),
      parsePolicy('policy.json', JSON.stringify({ [quarter(text)]: quarter(text) })),
    ],
  ],
  [
    'a request',
    (text) => [
      readHead({ url: text, headers: { host: text } }),
      readHead({ url: `http://${text}`, headers: {} }),
      readHead({ method: 'GET', url: `/v1/token?${text}`, headers: { host: 'latchkey' } }),
      formOf(`text/plain,${text}`),
    ],
  ],
  ['a line of the log', (text) => [scrub(text), logLine({ ...LOG_LEVEL, fields: { cause: text } }, 0)]],
  ['a finding of `latchkey doctor`', (text) => redact(text, { home: '/home/ana', name: 'ana' })],
]
