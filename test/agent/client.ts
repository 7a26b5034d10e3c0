import { readFileSync } from 'node:fs'
import { type Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | undefined
  /** Keeps connections open between requests. Without it, each request has a connection of its own. */
  readonly agent?: Agent
}

/** Maps the name of each agent's pipe to the file with the agent's secret. */
const files = new Map<string, string>()

/** From now on, each request to this pipe sends the secret that is in `file` at the time of the request. */
export const presentSecret = (pipe: string, file: string): void => void files.set(pipe, file)

function authorization(socketPath: string): Record<string, string> {
  const file = files.get(socketPath)
  if (file === undefined) return {}
  try {
    return { authorization: `Bearer ${JSON.parse(readFileSync(file, 'utf8')).secret}` }
  } catch {
    // The file is gone if the agent has stopped, so no secret is sent.
    return {}
  }
}

const begin = (socketPath: string, path: string, { method = 'GET', headers, agent }: Asking): ClientRequest => {
  const all = { host: 'localhost', ...authorization(socketPath), ...headers }
  return request({ socketPath, path, method, headers: all, agent: agent ?? false })
}

export function ask(socketPath: string, path: string, asking: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = begin(socketPath, path, asking)
    asked.once('error', reject)
    asked.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      // A stream of events doesn't end, so its body isn't read.
      if (headers['content-type'] === 'text/event-stream') {
        asked.destroy()
        resolve({ status, headers, body: '' })
        return
      }
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
        // The response of `/v1/remote` doesn't end. Its first chunk is all that a test needs.
        if (path.startsWith('/v1/remote') && status === 200) {
          asked.destroy()
          resolve({ status, headers, body })
        }
      })
      response.once('end', () => resolve({ status, headers, body }))
      response.once('error', reject)
    })
    asked.end(asking.body)
  })
}

export const reject = (socketPath: string, token: string, asking: Asking = {}): Promise<Answer> =>
  ask(socketPath, '/v1/token/rejected', {
    ...asking,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asking.headers },
    body: JSON.stringify({ token }),
  })

const HOST_LINE = 'Host: localhost\r\n'

export class RawClient {
  readonly socket: Socket
  readonly #secret: string
  text = ''
  readonly closed: Promise<void>

  constructor(socketPath: string) {
    this.socket = connect(socketPath)
    this.#secret = Object.values(authorization(socketPath))
      .map((value) => `Authorization: ${value}\r\n`)
      .join('')
    this.socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk
    })
    // The agent may have closed the connection.
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
  }

  static async open(socketPath: string): Promise<RawClient> {
    const client = new RawClient(socketPath)
    await new Promise((resolve) => client.socket.once('connect', resolve))
    return client
  }

  send(text: string): this {
    this.socket.write(text.replaceAll(HOST_LINE, `${HOST_LINE}${this.#secret}`))
    return this
  }

  hangUp(): void {
    this.socket.destroy()
  }
}

export class EventListener {
  status = 0
  headers: IncomingHttpHeaders = {}
  text = ''
  ended = false
  readonly #asked: ClientRequest
  #read = 0

  constructor(socketPath: string, headers: Record<string, string> = {}) {
    this.#asked = begin(socketPath, '/v1/events', { headers })
    const over = () => {
      this.ended = true
    }
    this.#asked.on('error', over)
    this.#asked.once('response', (response) => {
      this.status = response.statusCode ?? 0
      this.headers = response.headers
      response.on('error', over).on('close', over)
      response.setEncoding('utf8').on('data', (chunk: string) => {
        this.text += chunk
      })
    })
    this.#asked.end()
  }

  /** Returns the next event, and skips comments and retry hints. */
  async next(): Promise<{ readonly event: string; readonly data: Record<string, unknown> }> {
    const found = () => /^event: (.*)\ndata: (.*)\n\n/m.exec(this.text.slice(this.#read))
    await until(() => found() !== null || this.ended)
    const match = found()
    if (match === null) throw new Error(`the stream has ended: ${this.text}`)
    const [all, event = '', data = ''] = match
    this.#read += match.index + all.length
    return { event, data: JSON.parse(data) }
  }

  async opened(): Promise<number> {
    await until(() => this.status !== 0 || this.ended)
    return this.status
  }

  async until(pattern: RegExp): Promise<void> {
    await until(() => pattern.test(this.text) || this.ended)
  }

  hangUp(): void {
    this.#asked.destroy()
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}
