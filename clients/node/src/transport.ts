import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { LatchkeyError } from './error.ts'
import type { Location } from './location.ts'
import { isOwnPipe } from './pipe-owner.ts'
import { safePathTo } from './safe-path.ts'

/** The agent answers within 30 s, so this is longer. */
export const TIMEOUT_MS = 40_000

/** Nothing listens, or the connection broke: Latchkey isn't running, is starting, or is quitting. */
export class NobodyAnswers extends Error {}

export interface Question {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** Must be longer than the agent takes to answer. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The agent closes a connection that was idle for a minute; `exchange` then asks again. */
class KeptConnections extends http.Agent {
  override createConnection(
    options: http.ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | undefined {
    const given = options.socketPath ?? ''
    if (process.platform === 'win32') return net.connect(given)
    try {
      const { path, release } = attempt(() => safePathTo(given, process.getuid?.() ?? 0))
      const socket = net.connect(path)
      socket.once('close', release)
      return socket
    } catch (error) {
      // If the error were thrown, the request would never end, and its listener would stay on the caller's signal.
      callback?.(error as Error, undefined as never)
      return undefined
    }
  }
}

const kept = new KeptConnections({ keepAlive: true, maxFreeSockets: 4 })

export async function ask(
  location: Location,
  tool: string,
  question: Question,
  isOwn: (pipe: string) => Promise<boolean> = isOwnPipe,
): Promise<Reply> {
  const { socketPath, headers } = await endpointAt(location, isOwn)
  return exchange({ socketPath, headers: { ...headers, 'user-agent': tool } }, question, location.path)
}

async function endpointAt(location: Location, isOwn: (pipe: string) => Promise<boolean>) {
  if (location.kind === 'socket') return { socketPath: location.path, headers: {} }
  const { pipe, secret } = readPipeFile(location.path)
  if (!(await isOwn(pipe).catch(() => false))) {
    throw new LatchkeyError('not_own', `${pipe} belongs to another user, so nothing was sent. Start Latchkey again.`)
  }
  return { socketPath: pipe, headers: { authorization: `Bearer ${secret}` } }
}

function exchange(endpoint: { socketPath: string; headers: object }, question: Question, file: string): Promise<Reply> {
  const { method, path: target, body, timeoutMs = TIMEOUT_MS, signal } = question
  const content = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    host: 'localhost',
    accept: 'application/json',
    ...(content === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    ...endpoint.headers,
  }
  return new Promise<Reply>((resolve, reject) => {
    const { socketPath } = endpoint
    const options = { socketPath, method, path: target, headers, agent: kept, timeout: timeoutMs }
    const request = http.request({ ...options, ...(signal ? { signal } : {}) })
    request.once('timeout', () => {
      request.destroy(new LatchkeyError('timeout', `Latchkey didn't answer in ${timeoutMs / 1_000} s. Try again.`))
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof LatchkeyError || signal?.aborted) reject(error)
      else if (error.code?.startsWith('HPE_')) reject(stranger(file))
      else if (request.reusedSocket) exchange(endpoint, question, file).then(resolve, reject)
      else reject(new NobodyAnswers(error.message, { cause: error }))
    })
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', (error) => reject(new NobodyAnswers(error.message, { cause: error })))
      response.once('end', () => {
        const answer = parse(Buffer.concat(chunks).toString('utf8'))
        if (answer === undefined) reject(stranger(file))
        else resolve({ status: response.statusCode ?? 0, body: answer })
      })
    })
    request.end(content)
  })
}

const stranger = (file: string) => new LatchkeyError('unexpected_answer', `What answers at ${file} isn't Latchkey.`)

function parse(text: string): Reply['body'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Reply['body']) : undefined
  } catch {
    return undefined
  }
}

export function readPipeFile(file: string): { readonly pipe: string; readonly secret: string } {
  // SECURITY: JSON.parse's own error quotes the text with the secret, so it is never thrown.
  const { pipe, secret } = parse(attempt(() => readFileSync(file, 'utf8'))) ?? {}
  // SECURITY: a line break in the secret would start a new header.
  if (typeof pipe !== 'string' || typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret)) {
    throw new NobodyAnswers(`nothing usable in ${file}`)
  }
  return { pipe, secret }
}

function attempt<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof LatchkeyError) throw error
    throw new NobodyAnswers((error as Error).message, { cause: error })
  }
}
