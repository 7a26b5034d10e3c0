/** Clients of a socket that do as little as can be done: what is measured is the server. */
import { connect, type Socket } from 'node:net'

/** Something that answers at a Unix socket, always the same. */
export interface Endpoint {
  readonly socket: string
  readonly request: string
  /** Whether this is the beginning of the answer that is wanted. */
  readonly isGood: (begin: Buffer) => boolean
  /** Whether a connection serves more than one request. */
  readonly keeps: boolean
  /** Its answer: bytes. */
  readonly length: number
}

export interface Load {
  readonly clients: number
  readonly requests: number
  /** One connection a client, or one a request. */
  readonly keep: boolean
}

export interface Latencies {
  /** Milliseconds, from before the connection or the request to the answer's last byte. */
  readonly samples: readonly number[]
  /** Connections that were refused. */
  readonly refused: number
}

type Probed = Omit<Endpoint, 'length'>

/** Learns how long the answer is. */
export async function probe(endpoint: Probed): Promise<Endpoint> {
  const answer = await askOnce(endpoint)
  if (!endpoint.isGood(answer)) throw new Error(`${endpoint.socket} answered ${answer}`)
  return { ...endpoint, length: answer.length }
}

/** The whole answer: to its end as HTTP tells it, else to the connection's. */
export function askOnce({ socket: path, request }: Pick<Endpoint, 'socket' | 'request'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0)
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk])
      if (isWhole(answer.toString('latin1'))) socket.destroy()
    })
    socket.write(request)
  })
}

function isWhole(text: string): boolean {
  const head = /^HTTP.*?\r\n\r\n/s.exec(text)?.[0]
  const length = head === undefined ? undefined : /^content-length: (\d+)/im.exec(head)?.[1]
  return head !== undefined && length !== undefined && text.length >= head.length + Number(length)
}

/** As many requests, shared by clients that each wait for an answer before they ask again. */
export async function run(endpoint: Endpoint, { clients, requests, keep }: Load): Promise<Latencies> {
  const samples: number[] = []
  let refused = 0
  let left = requests
  const every = Array.from({ length: clients })
  if (keep) {
    const connections = await Promise.all(every.map(() => open(endpoint)))
    await Promise.all(
      connections.map(async (ask) => {
        await ask()
        while (left-- > 0) samples.push(await ask())
      }),
    )
    for (const { hangUp } of connections) hangUp()
    return { samples, refused }
  }
  await Promise.all(
    every.map(async () => {
      while (left-- > 0) {
        const taken = await askAnew(endpoint)
        if (taken === 'refused') refused += 1
        else samples.push(taken)
      }
    }),
  )
  return { samples, refused }
}

type Ask = (() => Promise<number>) & { readonly hangUp: () => void }

function open(endpoint: Endpoint): Promise<Ask> {
  return new Promise((resolve, reject) => {
    const socket = connect(endpoint.socket)
    socket.once('error', reject)
    socket.once('connect', () => {
      const next = answersOf(socket, endpoint, reject)
      const ask = () => {
        const began = performance.now()
        const answered = next(began)
        socket.write(endpoint.request)
        return answered
      }
      resolve(Object.assign(ask, { hangUp: () => socket.destroy() }))
    })
  })
}

function askAnew(endpoint: Endpoint): Promise<number | 'refused'> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const socket = connect(endpoint.socket)
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN' || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') resolve('refused')
      else reject(error)
    })
    const next = answersOf(socket, endpoint, reject)
    socket.write(endpoint.request)
    void next(began).then((taken) => {
      socket.destroy()
      resolve(taken)
    })
  })
}

/** Waits for one answer after another, and tells how long each took. */
function answersOf(socket: Socket, { length, isGood }: Endpoint, onWrong: (error: Error) => void) {
  let got = 0
  let began = 0
  let resolve = (_taken: number): void => {}
  socket.on('data', (chunk: Buffer) => {
    if (got === 0 && !isGood(chunk)) onWrong(new Error(`a wrong answer: ${chunk}`))
    got += chunk.length
    if (got < length) return
    got = 0
    resolve(performance.now() - began)
  })
  return (since: number): Promise<number> => {
    began = since
    return new Promise((settle) => {
      resolve = settle
    })
  }
}
