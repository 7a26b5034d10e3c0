/** Minimal clients of a Unix socket, so that nearly all of the measured time is the server's. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const TOKEN_REQUEST = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n'

const RETRY_MS = 2
const TIMEOUT_MS = 60_000

/** A server whose answer is always the same. */
export interface Endpoint {
  readonly socket: string
  readonly request: string
  /** True if these bytes are the beginning of the expected answer. */
  readonly isGood: (begin: Buffer) => boolean
  /** The answer's length in bytes. */
  readonly length: number
}

export interface Load {
  readonly clients: number
  readonly requests: number
  /** True if each client uses one connection for all its requests; false if it opens one for each. */
  readonly keep: boolean
}

export interface Latencies {
  /**
   * Milliseconds for each request until the last byte of its answer, including the time to connect if the request
   * needed a new connection.
   */
  readonly samples: readonly number[]
  readonly refused: number
}

type Probed = Omit<Endpoint, 'length'>

/** Learns the answer's length from one request. */
export async function probe(endpoint: Probed): Promise<Endpoint> {
  const answer = await askOnce(endpoint)
  if (!endpoint.isGood(answer)) throw new Error(`${endpoint.socket} answered ${answer}`)
  return { ...endpoint, length: answer.length }
}

/** Sends one request and returns the whole answer. */
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

/** Asks for a token until the status is 200. Returns the time at which that answer arrived (`performance.now()`). */
export async function answered(socket: string): Promise<number> {
  const deadline = performance.now() + TIMEOUT_MS
  while (performance.now() < deadline) {
    const answer = await askOnce({ socket, request: TOKEN_REQUEST }).catch(() => undefined)
    if (answer?.toString('latin1', 9, 12) === '200') return performance.now()
    await sleep(RETRY_MS)
  }
  throw new Error(`${socket} served no token`)
}

function isWhole(text: string): boolean {
  const head = /^HTTP.*?\r\n\r\n/s.exec(text)?.[0]
  const length = head === undefined ? undefined : /^content-length: (\d+)/im.exec(head)?.[1]
  return head !== undefined && length !== undefined && text.length >= head.length + Number(length)
}

/** Shares the requests among the clients. Each client waits for an answer before its next request. */
export async function run(endpoint: Endpoint, { clients, requests, keep }: Load): Promise<Latencies> {
  const samples: number[] = []
  let refused = 0
  let left = requests
  const client = async () => {
    const kept = keep ? connect(endpoint.socket) : undefined
    if (kept !== undefined) await ask(kept, endpoint)
    while (left-- > 0) {
      const began = performance.now()
      const socket = kept ?? connect(endpoint.socket)
      const taken = await ask(socket, endpoint, began)
      if (taken === 'refused') refused += 1
      else samples.push(taken)
      if (socket !== kept) socket.destroy()
    }
    kept?.destroy()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { samples, refused }
}

const REFUSALS = ['EAGAIN', 'ECONNREFUSED', 'ECONNRESET']

/** Sends one request, and resolves with the milliseconds until the last byte of its answer. */
function ask(socket: Socket, { request, length, isGood }: Endpoint, began = performance.now()) {
  return new Promise<number | 'refused'>((resolve, reject) => {
    let got = 0
    const onError = (error: NodeJS.ErrnoException) =>
      REFUSALS.includes(error.code ?? '') ? resolve('refused') : reject(error)
    const onData = (chunk: Buffer) => {
      if (got === 0 && !isGood(chunk)) reject(new Error(`a wrong answer: ${chunk}`))
      got += chunk.length
      if (got < length) return
      socket.off('data', onData).off('error', onError)
      resolve(performance.now() - began)
    }
    socket.on('data', onData).on('error', onError)
    socket.write(request)
  })
}
