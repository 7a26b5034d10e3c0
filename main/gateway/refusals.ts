/** The sentences are ASCII, so that any tool can show them. */
import type { Reply } from '../agent/replies.ts'
import { isUntrusted } from '../network/keep-alive-agents.ts'
import { ProxyRefusal, proxyErrorOf } from '../service/exchange-error.ts'

const REFUSALS = {
  malformed: [400, 'This is not a request in HTTP/1.1.'],
  wrongPath: [
    400,
    "The gateway doesn't accept this path. Write it without dots between slashes and without backslashes.",
  ],
  transferCoding: [400, 'The gateway only accepts bodies with a Content-Length, or in chunks.'],
  wrongPassword: [
    401,
    'Wrong gateway password. The username is latchkey; the password is the one that Latchkey made for the gateway, not your platform password.',
  ],
  wrongHost: [403, "Use the gateway's address as Latchkey shows it: http://127.0.0.1:PORT."],
  webPage: [403, "Web pages can't use the gateway."],
  trace: [403, "The gateway doesn't pass on TRACE, because the reply would contain your access token."],
  outsideBasePath: [
    404,
    "There is nothing at this path. The gateway only passes on the paths below the data address's.",
  ],
  readOnly: [
    405,
    'The gateway only passes on requests that read (GET and HEAD). Settings > Data and gateway allows all.',
  ],
  slow: [408, 'The request took too long to arrive.'],
  tooManyPasswords: [429, 'Too many wrong gateway passwords. Wait a minute, then try again.'],
  tooLongHead: [431, 'The head of the request is larger than 64 KiB.'],
  rejected: [502, 'The service refused your access token, and the renewed one, too. Open Latchkey.'],
  rejectedOnce: [502, 'The service refused your access token. Latchkey has renewed it: send the request again.'],
  otherServer: [
    502,
    'The service redirected to another server. The gateway only passes on what the service sends itself.',
  ],
  untrusted: [502, "Latchkey doesn't trust the service's certificate. Its window shows the details."],
  proxy: [502, "Your network's proxy refused the connection or requires you to sign in. Open Latchkey."],
  badAnswer: [502, 'The service ended the connection, or sent something that is not HTTP.'],
  signedOut: [503, 'You are not signed in. Open Latchkey and sign in.'],
  unavailable: [503, "Latchkey can't get a token right now and keeps trying. Its window shows why."],
  unreachable: [503, "Latchkey can't reach the service. Check your network or VPN."],
  stopping: [503, 'The gateway is turned off, or Latchkey is quitting.'],
  tooManyConnections: [503, 'Too many tools are connected. Try again in a moment.'],
} as const satisfies Record<string, readonly [number, string]>
export type Refusal = keyof typeof REFUSALS

/** The realm tells the user which password a tool's dialog asks for. */
const CHALLENGE = 'Basic realm="Latchkey gateway (not your platform password)", charset="UTF-8"'

/** @param retryAfter in seconds */
export function responseOf(refusal: Refusal, retryAfter: number | undefined): Reply {
  const [status, sentence] = REFUSALS[refusal]
  const wait = retryAfter ?? (status === 503 ? 10 : undefined)
  return {
    status,
    headers: [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(sentence.length + 1)],
      ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
      ...(refusal === 'wrongPassword' ? ['WWW-Authenticate', CHALLENGE] : []),
      ...(refusal === 'readOnly' ? ['Allow', 'GET, HEAD'] : []),
      ...(wait === undefined ? [] : ['Retry-After', String(wait)]),
      // The connection must end, because the rest of the request is not read.
      ...['Connection', 'close'],
    ],
    body: `${sentence}\n`,
  }
}

const AWAY = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['EHOSTDOWN', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'connect timeout'],
])

/** SECURITY: the error itself contains the token, so it isn't passed on. */
export function refusalOf(error: unknown): Refusal {
  const proxyError = proxyErrorOf(error)
  if (proxyError !== undefined) return proxyError instanceof ProxyRefusal ? 'proxy' : 'unreachable'
  if (isUntrusted(error)) return 'untrusted'
  const { code }: { code?: unknown } = error instanceof AggregateError ? (error.errors[0] ?? {}) : (error ?? {})
  if (typeof code !== 'string') return 'badAnswer'
  return AWAY.has(code) ? 'unreachable' : 'badAnswer'
}
