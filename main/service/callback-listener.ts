/** Receives the one valid callback of a browser sign-in, on this machine (RFC 8252 section 7.3). */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fail, type Outcome } from '../../contract/failures.ts'
import { keepNewest } from '../base/newest-connections.ts'
import type { CallbackListener, CallbackPage, SignInResult } from '../session/ports.ts'

/** The page's style, with the colours from `renderer/style/ground.css`. */
const STYLE =
  ':root{color-scheme:light dark;--quiet:#5d6675;--mark:#9a6a12}' +
  'body{background:#f6f5f2;color:#1c2430;display:grid;place-content:center;min-height:100vh;margin:0;padding:1.5rem;box-sizing:border-box;font:1rem/1.45 system-ui,"Segoe UI",Cantarell,sans-serif}' +
  'main{max-width:26rem}svg{width:3rem;color:var(--mark)}h1{font-size:1.5rem;line-height:1.25;margin:1rem 0 .5rem}p{margin:0;color:var(--quiet)}' +
  '@media(prefers-color-scheme:dark){:root{--quiet:#a0a9b7;--mark:#e0b560}body{background:#12161c;color:#e9ecf1}}'

/** Latchkey's logo, the same as in `renderer/parts/icons.tsx`. */
const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><circle cx="7.75" cy="16.25" r="4.75"/><path d="M11.2 12.8 20.5 3.5M16.9 7.1l3 3M13.6 10.4l2.1 2.1"/></g></svg>'

// SECURITY: the page runs no script, loads nothing, can't be framed, and has only this style.
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)

function pageOf({ language, texts }: CallbackPage, result: SignInResult): string {
  const { title, body } = texts[result]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} – Latchkey</title><style>${STYLE}</style>`
  return `<!doctype html><html lang="${escaped(language)}"><head>${head}</head><body><main>${MARK}<h1>${escaped(title)}</h1><p>${escaped(body)}</p></main></body></html>`
}

const HOST = '127.0.0.1'
const MOST_CONNECTIONS = 64
const REQUEST_TIMEOUT_MS = 10_000
const TIMEOUT_CHECK_MS = 1_000

export interface CallbackOptions {
  readonly port: number
  readonly issuer: string
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
 * The path of the redirect address. SECURITY: the path differs between providers. Otherwise a hostile provider could
 * send the browser to an honest provider, and the sign-in at the hostile one would receive the honest one's code (RFC
 * 9700 section 4.4.2).
 */
export function callbackPath(issuer: string): string {
  const { host, pathname } = new URL(issuer)
  return `/callback/${host}${pathname === '/' ? '' : pathname}`
}

/** Listens on 127.0.0.1 until the valid callback arrives or `close` is called. */
export function listenForCallback({ port, issuer, isOurs, page }: CallbackOptions): Promise<Outcome<CallbackListener>> {
  const path = callbackPath(issuer)
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS }
  const server = createServer(timeouts)
  // SECURITY: connections that stay open and send nothing can't keep the browser from connecting.
  const connected = keepNewest(server, MOST_CONNECTIONS)
  const over = new AbortController()
  /** The response to the valid callback, until its page is shown. */
  let waiting: ServerResponse | undefined

  const received = new Promise<URLSearchParams | undefined>((resolve) => {
    server.on('request', (request, response) => {
      request.resume()
      const parameters = over.signal.aborted ? undefined : parametersOf(request, path)
      if (parameters === undefined || !isOurs(parameters)) {
        response.writeHead(404, HEADERS).end()
        return
      }
      waiting = response
      resolve(parameters)
      over.abort()
    })
    over.signal.addEventListener('abort', () => {
      server.close()
      for (const socket of connected) if (socket !== waiting?.socket) socket.destroy()
      resolve(undefined)
    })
  })

  const show = (result: SignInResult) => {
    waiting?.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(pageOf(page, result))
    waiting = undefined
  }
  const close = () => {
    show('failed')
    over.abort()
  }

  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const details = { operation: 'browserSignIn', cause: error.code ?? 'listen' }
      resolve(fail({ code: 'unreachable', problem: 'portTaken', details }))
    })
    server.listen({ host: HOST, port, exclusive: true }, () => {
      const address = server.address()
      const used = typeof address === 'object' && address !== null ? address.port : port
      resolve({ ok: true, value: { redirectUri: `http://${HOST}:${used}${path}`, received, show, close } })
    })
  })
}

/**
 * The parameters of a request to the callback's path; `undefined` for any other request. SECURITY: a page that reaches
 * this port by DNS rebinding sends another Host header.
 */
function parametersOf({ method, url = '', headers, socket }: IncomingMessage, path: string) {
  const isOwnHost = headers.host === `${HOST}:${socket.localPort}`
  if (method !== 'GET' || !isOwnHost || !url.startsWith(`${path}?`)) return undefined
  return new URLSearchParams(url.slice(path.length + 1))
}
