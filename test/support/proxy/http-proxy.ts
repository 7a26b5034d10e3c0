/** A CONNECT proxy on 127.0.0.1 (RFC 9110 section 9.3.6). It alone can resolve the names of the test's services. */
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { listening } from '../local-servers.ts'
import { type Names, tunnel } from './tunnel.ts'

export interface HttpProxyOptions {
  readonly names: Names
  readonly tls?: { readonly key: string; readonly cert: string; readonly requestCert?: boolean }
  readonly login?: { readonly username: string; readonly password: string }
  readonly challenges?: readonly string[]
}

const basicOf = (request: IncomingMessage): string => {
  const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '') ?? []
  return Buffer.from(encoded, 'base64').toString('utf8')
}

export async function startHttpProxy(options: HttpProxyOptions) {
  const { names, tls, login, challenges = ['Basic realm="proxy"'] } = options
  const heard: string[] = []
  const asked: string[] = []
  const logins: string[] = []
  const certificates: string[] = []
  const server = tls ? createTlsServer({ ...tls, rejectUnauthorized: false }) : createServer()
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => {})
    const target = request.url ?? ''
    asked.push(target)
    if (client instanceof TLSSocket) certificates.push(String(client.getPeerCertificate().subject?.CN ?? ''))
    logins.push(basicOf(request))
    heard.push(`${request.method} ${target}\r\n${request.rawHeaders.join('\r\n')}`)
    if (login !== undefined && basicOf(request) !== `${login.username}:${login.password}`) {
      const lines = challenges.map((challenge) => `Proxy-Authenticate: ${challenge}\r\n`).join('')
      return void client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines}Content-Length: 0\r\n\r\n`)
    }
    const port = names[target.replace(/:\d+$/, '')]
    if (port === undefined) return void client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    const far = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    tunnel(client, far, heard, head)
  })
  server.on('request', (request, response) => {
    heard.push(`${request.method} ${request.url}`)
    response.writeHead(400).end()
  })
  server.on('tlsClientError', () => {})
  const { port, stop } = await listening(server)
  return { port, heard, asked, logins, certificates, stop }
}
