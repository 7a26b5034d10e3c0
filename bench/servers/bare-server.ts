/** The floor: the least that Node can do to give the same answer. */
import { createServer } from 'node:http'
import { ready, takeOrder } from './serve.ts'

export interface BareOrder {
  readonly socket: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const { socket, headers, body } = await takeOrder<BareOrder>()
createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen({ path: socket, backlog: 1_024 }, ready)
