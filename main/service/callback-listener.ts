/** Receives the one valid callback of a sign-in in the browser, on this machine (RFC 8252 section 7.3). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fail, type Outcome } from '../../contract/failures.ts'
import type { CallbackListener, CallbackPage, SignInResult } from '../session/ports.ts'
import { PAGE_POLICY, pageOf } from './callback-page.ts'

const HOST = '127.0.0.1'
const MOST_CONNECTIONS = 64
const REQUEST_TIMEOUT_MS = 10_000
const TIMEOUT_CHECK_MS = 1_000

export interface CallbackOptions {
  /** 0 chooses a free port. */
  readonly port: number
  /** The provider that sends the browser back. */
  readonly issuer: string
  /** True if the parameters belong to this sign-in. */
  readonly isOurs: (parameters: URLSearchParams) => boolean
  readonly page: CallbackPage
}

const HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}

/**
 * The redirect address's path. SECURITY: every provider has its own, so that a hostile provider can't send the browser
 * to an honest one and get the honest provider's code: the honest one knows only its own path, at which no sign-in at
 * another provider listens (RFC 9700 section 4.4.2).
 */
export function callbackPath(issuer: string): string {
  const { host, pathname } = new URL(issuer)
  return `/callback/${host}${pathname === '/' ? '' : pathname}`
}

/** Listens on 127.0.0.1 until the valid callback has arrived, or until it is closed. */
export function listenForCallback({ port, issuer, isOurs, page }: CallbackOptions): Promise<Outcome<CallbackListener>> {
  let settle = (_: URLSearchParams | undefined): void => {}
  const received = new Promise<URLSearchParams | undefined>((resolve) => {
    settle = resolve
  })
  const connected = new Set<Socket>()
  let isOver = false
  let show = (_: SignInResult): void => {}
  /** The browser's connection, once it has sent the callback. */
  let browser: Socket | undefined
  let authority = ''
  const path = callbackPath(issuer)
  const endOthers = () => {
    for (const socket of connected) if (socket !== browser) socket.destroy()
  }

  /**
   * The parameters of the sign-in's callback; `undefined` for any other request. SECURITY: a page that reaches this
   * port through DNS rebinding sends another Host header.
   */
  const parametersOf = ({ method, url = '', headers }: IncomingMessage): URLSearchParams | undefined => {
    if (isOver || method !== 'GET' || headers.host !== authority || !url.startsWith(`${path}?`)) return undefined
    const parameters = new URLSearchParams(url.slice(path.length + 1))
    return isOurs(parameters) ? parameters : undefined
  }

  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    (request: IncomingMessage, response: ServerResponse) => {
      request.resume()
      const parameters = parametersOf(request)
      if (parameters === undefined) {
        response.writeHead(404, HEADERS).end()
        return
      }
      isOver = true
      browser = request.socket
      show = (result) => {
        show = () => {}
        response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(pageOf(page, result))
      }
      endOthers()
      server.close()
      settle(parameters)
    },
  )

  // SECURITY: connections that send nothing can't keep the browser out: the newest connection replaces the oldest.
  server.on('connection', (socket) => {
    connected.add(socket)
    socket.once('close', () => connected.delete(socket))
    const [oldest] = connected
    if (connected.size > MOST_CONNECTIONS) oldest?.destroy()
  })

  const close = () => {
    isOver = true
    server.close()
    show('failed')
    endOthers()
    settle(undefined)
  }

  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const details = { operation: 'browserSignIn', cause: error.code ?? 'listen' }
      resolve(fail({ code: 'unreachable', problem: 'portTaken', details }))
    })
    server.listen({ host: HOST, port, exclusive: true }, () => {
      const address = server.address()
      authority = `${HOST}:${typeof address === 'object' && address !== null ? address.port : port}`
      resolve({
        ok: true,
        value: { redirectUri: `http://${authority}${path}`, received, show: (result) => show(result), close },
      })
    })
  })
}
