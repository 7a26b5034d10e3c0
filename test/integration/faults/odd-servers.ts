/** Servers other than the service: a redirect's target, servers with the wrong certificate, and proxies. */
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { tunnelAgent } from '../../../main/network/proxy-agents.ts'
import type { HttpOptions } from '../../../main/service/http-client.ts'
import { listening, tcpServer } from '../../support/local-servers.ts'

export type OddServer = Awaited<ReturnType<typeof silentListener>>

/** A server that never answers. It records all data, and an empty text for each connection. */
export async function silentListener() {
  const heard: string[] = []
  const { port, stop } = await tcpServer((socket) => {
    heard.push('')
    socket.on('data', (data: Buffer) => heard.push(data.toString('latin1')))
  })
  return { port, heard, stop }
}

/** Accepts TLS connections with this certificate, and records their data. */
export async function tlsListener(identity: { readonly key: string; readonly cert: string }): Promise<OddServer> {
  const heard: string[] = []
  const server = createTlsServer(identity, (socket) => socket.on('data', (data) => heard.push(data.toString('latin1'))))
  server.on('tlsClientError', () => {})
  const { port, stop } = await listening(server)
  return { port, heard, stop }
}

/** Answers CONNECT with this status. With 200, opens a tunnel to `tunnelTo`, or else to the requested port. */
export async function proxy(status: number, tunnelTo?: number): Promise<OddServer> {
  const heard: string[] = []
  const { port, stop } = await tcpServer((client) =>
    client.once('data', (head: Buffer) => {
      heard.push(head.toString('latin1'))
      if (status !== 200) {
        const page = '<!doctype html><title>Proxy</title>'
        client.end(`HTTP/1.1 ${status} No\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`)
        return
      }
      const asked = Number(/^CONNECT [^:]+:(\d+) /.exec(head.toString('latin1'))?.[1])
      const far = connect(tunnelTo ?? asked, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        far.pipe(client).pipe(far)
      })
      far.on('error', () => client.destroy())
      client.on('close', () => far.destroy())
    }),
  )
  return { port, heard, stop }
}

export function through(port: number): Pick<HttpOptions, 'routeFor'> {
  const proxy = { kind: 'http', host: '127.0.0.1', port } as const
  return {
    routeFor: async ({ trusted, signal }) => ({
      agent: tunnelAgent({ proxy, trusted, signal, onAnswered: () => {} }),
      proxy: `127.0.0.1:${port}`,
    }),
  }
}

/** Answers every request with this status and a text that repeats the request's credentials and body. */
export async function echoServer(identity: { readonly key: string; readonly cert: string }, status: number) {
  const server = createHttpsServer(identity, async (request, response) => {
    const sent = [request.headers.authorization ?? '']
    for await (const chunk of request) sent.push(String(chunk))
    const basic = /^Basic (.+)$/.exec(sent[0] ?? '')?.[1] ?? ''
    const words = `${Buffer.from(basic, 'base64')} ${sent.join(' ')}`
    response.writeHead(status, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(words) })
    response.end(JSON.stringify({ error: words, message: words, error_description: words }))
  })
  return listening(server)
}
