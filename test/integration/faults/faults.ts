import { selfSignedCertificate } from '../../../demo/certificate.ts'
import type { WireFault } from '../../../demo/faults.ts'
import type { ServiceOperation } from '../../../demo/service.ts'
import { freePort } from '../../support/local-servers.ts'
import { proxy, silentListener, through, tlsListener } from './odd-servers.ts'
import { type Operation, PROVIDERS } from './operations.ts'
import { type Connectivity, DAY, type Rig } from './rig.ts'

/** Makes an operation fail until `Rig.heals` is called. */
export type Fault = (rig: Rig, operation: Operation) => void | Promise<void>

/** Deadlines that pass as soon as `count` has grown, however long that takes. The usual ones use the test's clock. */
const onceMore = (count: () => number): NonNullable<Connectivity['deadlines']> => ({
  now: () => 0,
  at: (_, action) => {
    const before = count()
    const timer = setInterval(() => count() > before && action(), 10)
    return () => clearInterval(timer)
  },
})

/** With `isGivenUp`, the client gives up once its request has arrived. */
const answered =
  (fault: WireFault, isGivenUp = false): Fault =>
  (rig, operation) => {
    const { [operation]: atProvider } = PROVIDERS
    const times = Number.POSITIVE_INFINITY
    if (atProvider !== undefined) rig.provider.inject(atProvider, fault, { times })
    else rig.service.inject(operation as ServiceOperation, fault, { times })
    const { requests }: { requests: readonly { operation?: string }[] } = atProvider ? rig.provider : rig.service
    const arrived = () => requests.filter((each) => each.operation === (atProvider ?? operation)).length
    if (isGivenUp) rig.connectivity = { ...rig.connectivity, deadlines: onceMore(arrived) }
  }

/** A fault: the server answers with this status, and doesn't carry out the request. */
const status = (code: number, rest: Partial<Extract<WireFault, { kind: 'status' }>> = {}): Fault =>
  answered({ kind: 'status', status: code, ...rest })

const html = (code: number, headers: Record<string, string> = {}): Fault => status(code, { type: 'html', headers })

/** A fault: the server answers with this error, in the form of RFC 6749 section 5.2. */
const error = (code: number, name: string): Fault => status(code, { content: JSON.stringify({ error: name }) })

const led =
  (connectivity: (rig: Rig) => Promise<Partial<Connectivity>>): Fault =>
  async (rig) => {
    rig.connectivity = { ...rig.connectivity, ...(await connectivity(rig)) }
  }

const at = (address: string): Partial<Connectivity> => ({ baseAddress: address, authAddress: address })
const atPort = (port: number) => at(`https://127.0.0.1:${port}`)

/** A fault: all requests go to a server with another certificate instead of the service. */
const certificate = (options: Parameters<typeof selfSignedCertificate>[0], isTrusted: boolean): Fault =>
  led(async (rig) => {
    const identity = selfSignedCertificate(options)
    const { port } = rig.meets(await tlsListener(identity))
    return { ...atPort(port), ...(isTrusted && { trusted: async () => [identity.cert] }) }
  })

const proxied = (code: number, tunnelTo?: (rig: Rig) => Promise<number>): Fault =>
  led(async (rig) => through(rig.meets(await proxy(code, await tunnelTo?.(rig))).port))

const redirect =
  (code: 302 | 307): Fault =>
  (rig, operation) =>
    status(code, { type: 'empty', headers: { Location: `http://127.0.0.1:${rig.elsewhere.port}/auth/login` } })(
      rig,
      operation,
    )

const EMPTY_REFRESH_TOKEN = {
  token: 'header.payload.signature',
  refreshToken: '',
  access_token: 'header.payload.signature',
  token_type: 'Bearer',
  refresh_token: '',
}

export const FAULTS: { readonly [name: string]: Fault } = {
  none: () => {},
  'disk full': (rig) => {
    rig.isDiskFull = true
  },
  slow: answered({ kind: 'slow', ms: 200 }),
  'through a proxy': proxied(200),

  'no such host': led(async () => ({ ...at('https://latchkey.invalid'), connectTimeout: 2_000 })),
  refused: led(async () => atPort(await freePort())),
  // What this server receives isn't recorded, because the start of a TLS handshake has no secret.
  'silent before TLS': led(async (rig) => {
    const silent = await silentListener()
    return { ...atPort(rig.meets({ ...silent, heard: [] }).port), deadlines: onceMore(() => silent.heard.length) }
  }),
  'reset before the work': answered({ kind: 'reset', work: 'undone' }),
  'reset after the work': answered({ kind: 'reset', work: 'done' }),
  hang: answered({ kind: 'hang' }, true),
  'hang after the work': answered({ kind: 'hang', work: 'done' }, true),
  'too slow': answered({ kind: 'slow', ms: 60_000 }, true),

  'untrusted certificate': certificate({}, false),
  'expired certificate': certificate(
    { notBefore: new Date(Date.now() - 2 * DAY), notAfter: new Date(Date.now() - DAY) },
    true,
  ),
  'certificate of another host': certificate({ host: 'elsewhere.example' }, true),
  'proxy breaks TLS open': proxied(200, async (rig) => rig.meets(await tlsListener(selfSignedCertificate())).port),
  'proxy wants credentials': proxied(407),
  'proxy forbids': proxied(403),
  'proxy is down': led(async () => through(await freePort())),

  'redirect 302': redirect(302),
  'redirect 307': redirect(307),
  '304': status(304, { type: 'empty' }),

  'HTML 200': html(200),
  'HTML 401': html(401),
  'HTML 401, Basic': html(401, { 'WWW-Authenticate': 'Basic realm="data"' }),
  'HTML 403, called JSON': html(403, { 'Content-Type': 'application/json' }),
  'HTML 429': html(429, { 'Retry-After': '60' }),
  'HTML 503': html(503),

  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '408': status(408),
  '409': status(409),
  '422': status(422),
  '429': status(429),
  '429, Retry-After': status(429, { headers: { 'Retry-After': '120' } }),
  '500': status(500),
  '503': status(503),
  '503, Retry-After': status(503, { headers: { 'Retry-After': '120' } }),

  '400 without JSON': status(400, { type: 'text' }),
  '400 empty': status(400, { type: 'empty' }),
  '401 empty': status(401, { type: 'empty' }),
  '403 without JSON': status(403, { type: 'text' }),

  '202': status(202),
  '204': status(204, { type: 'empty' }),
  'garbage JSON': answered({ kind: 'garbageJson' }),
  'missing fields': answered({ kind: 'missingFields' }),
  'no refresh token': answered({ kind: 'missingFields', fields: ['refreshToken', 'refresh_token'] }),
  // This answer is valid apart from its refresh token, which is empty.
  'empty refresh token': status(200, { content: JSON.stringify(EMPTY_REFRESH_TOKEN) }),
  '64 MB': answered({ kind: 'huge' }),

  'invalid_grant 400': error(400, 'invalid_grant'),
  'invalid_grant 403': error(403, 'invalid_grant'),
  mfa_required: error(403, 'mfa_required'),
  too_many_attempts: error(429, 'too_many_attempts'),
  invalid_client: error(401, 'invalid_client'),
  temporarily_unavailable: error(400, 'temporarily_unavailable'),
}
