import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { DeadlineClock } from '../../main/base/clock.ts'
import { Gateway, type GatewayConfig } from '../../main/gateway/gateway.ts'
import { hashOf, newPassword } from '../../main/gateway/passwords.ts'
import { createKeepAliveAgents, type KeepAliveAgentPorts } from '../../main/network/keep-alive-agents.ts'
import { ModelSource } from '../agent/model-source.ts'
import { freePort, httpServer } from '../support/local-servers.ts'
import { ManualTime } from '../support/manual-time.ts'

export const HOUR = 3_600_000

interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
}

interface RigOptions {
  readonly serve?: RequestListener
  readonly config?: Partial<GatewayConfig>
  readonly basePath?: string
  readonly http?: KeepAliveAgentPorts['http']
}

const NO_NETWORK: KeepAliveAgentPorts['http'] = {
  routeFor: async () => ({}),
  trusted: async () => [],
  onUntrusted: () => {},
  identityFor: async () => undefined,
}

export async function startGateway({ serve, config, basePath = '', http = NO_NETWORK }: RigOptions = {}) {
  const seen: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers'>[] = []
  const {
    server: service,
    port: servicePort,
    stop,
  } = await httpServer((incoming, response) => {
    const { method, url, rawHeaders, headers } = incoming
    seen.push({ method, url, rawHeaders, headers })
    if (serve !== undefined) return serve(incoming, response)
    incoming.resume()
    incoming.on('end', () => response.end('rows'))
  })
  const port = config?.port ?? (await freePort())
  const time = new ManualTime()
  const clock = new DeadlineClock(time)
  const source = new ModelSource(clock)
  source.grant(HOUR)
  const password = newPassword()
  const given: GatewayConfig = {
    dataAddress: `http://127.0.0.1:${servicePort}${basePath}`,
    methods: 'read',
    ...config,
    port,
  }
  const uses: (readonly [userAgent: string | undefined, result: string])[] = []
  const arrived = { count: 0 }
  const gateway = new Gateway({
    source,
    clock,
    onCheck: (listener) => clock.onCheck(listener),
    passwordHash: () => hashOf(password),
    agents: (url) => createKeepAliveAgents(url, { clock, http }),
    onChange: () => {},
    onAsked: (...use) => uses.push(use),
    listener: (options, handle) => createServer(options, handle).on('request', () => arrived.count++),
  })
  await gateway.apply(given)

  const authorization = `Basic ${Buffer.from(`latchkey:${password.reveal()}`).toString('base64')}`
  const own = { host: `127.0.0.1:${port}`, authorization }

  /** Starts a request with the password, and leaves out empty headers. Resolves to the response's head. */
  const begin = async (path: string, { method = 'GET', headers = {}, body }: Question = {}) => {
    const sent = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== '')
    const to = { port, host: '127.0.0.1', path, method, setHost: false, agent: false } as const
    const asked = request({ ...to, headers: Object.fromEntries(sent) as Record<string, string> })
    asked.end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer
  }
  return {
    gateway,
    config: given,
    source,
    time,
    service,
    servicePort,
    seen,
    uses,
    arrived,
    port,
    password,
    authorization,
    begin,
    async ask(path: string, question?: Question) {
      const answer = await begin(path, question)
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: (await buffer(answer)).toString() }
    },
    /** Sends these bytes. Resolves to all that comes back until the gateway closes the connection. */
    async raw(bytes: string): Promise<string> {
      const socket = connect(port, '127.0.0.1')
      socket.write(bytes, 'latin1')
      return (await buffer(socket)).toString('latin1')
    },
    async end(): Promise<void> {
      await gateway.apply(undefined)
      stop()
    },
  }
}

export type GatewayRig = Awaited<ReturnType<typeof startGateway>>

export function upload({ port, authorization }: GatewayRig, headers: Readonly<Record<string, string>> = {}) {
  const own = { host: `127.0.0.1:${port}`, authorization, ...headers }
  return request({ port, host: '127.0.0.1', method: 'POST', path: '/', headers: own, agent: false })
}
