/** Sits between a client and the agent, and records the requests. */
import { connect, createServer, type Server, type Socket } from 'node:net'

interface Heard {
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export class Wiretap {
  #text = ''
  readonly #open = new Set<Socket>()
  readonly #server: Server

  constructor(agent: string) {
    this.#server = createServer((client) => {
      const upstream = connect(agent)
      client.on('data', (chunk) => {
        this.#text += chunk.toString('latin1')
      })
      this.#open.add(client)
      client.pipe(upstream).pipe(client)
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
    })
  }

  start(socket: string): Promise<void> {
    return new Promise((resolve) => this.#server.listen(socket, () => resolve()))
  }

  stop(): Promise<void> {
    for (const client of this.#open) client.destroy()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** The recorded requests, the oldest first. */
  get heard(): readonly Heard[] {
    const all: Heard[] = []
    let rest = this.#text
    while (rest !== '') {
      const end = rest.indexOf('\r\n\r\n')
      const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
      const headers = new Map(
        lines.map((each) => splitAt(each, ': ')).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const length = Number(headers.get('content-length') ?? 0)
      const [method = '', target = ''] = line.split(' ')
      all.push({ method, target, headers, body: rest.slice(end + 4, end + 4 + length) })
      rest = rest.slice(end + 4 + length)
    }
    return all
  }
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + mark.length)]
}
