import { existsSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LatchkeyError } from './error.ts'
import { type Location, locate } from './location.ts'
import { ask, NobodyAnswers, type Question, type Reply, TIMEOUT_MS } from './transport.ts'

/** If the previous call was answered, a call retries for this long: Latchkey is probably restarting or updating. */
const RESTART_MS = 30_000
/** If the previous call wasn't answered, or there was none, a call retries for this long. */
const START_MS = 5_000
const RETRY_MS = 100
/** Codes of an agent that is shutting down or has too many connections: a retry can succeed. */
const PASSING: readonly string[] = ['stopping', 'too_many_connections']
/** Codes after which a later request can bring a token. */
export const WAITABLE: readonly string[] = [...PASSING, 'signed_out', 'unavailable', 'timeout']

/** In seconds; `true`: up to a week. */
export type Wait = number | true
const LONGEST_WAIT_MS = 604_800_000
/** How long one request may wait for a token; a longer wait takes several requests. */
const MOST_HELD_MS = 300_000
const AGAIN_MS = 1_000

export interface TokenAnswer {
  readonly token: string
  /** The service that the token is for; absent if Latchkey is too old to say. */
  readonly origin?: string
}

let hasAnswered = false

export async function askForToken(
  minValidity: number,
  connection: string | undefined,
  signal?: AbortSignal | undefined,
  wait: Wait = 0,
): Promise<TokenAnswer> {
  const path = `/v1/token?${query({ min_validity: String(minValidity) }, connection)}`
  const leftMs = Math.min(wait === true ? LONGEST_WAIT_MS : wait * 1_000, LONGEST_WAIT_MS)
  // `'30m'` would not wait at all.
  if (Number.isNaN(leftMs)) throw new TypeError(`wait must be true or a number of seconds, not ${wait}`)
  return (await waitFor(path, leftMs, signal)) ?? tokenIn(await get({ method: 'GET', path, signal }))
}

/** `undefined` if there was no token in time. Latchkey may start, stop or restart meanwhile. */
async function waitFor(
  path: string,
  leftMs: number,
  signal: AbortSignal | undefined,
): Promise<TokenAnswer | undefined> {
  for (let left = leftMs; left > 0; ) {
    signal?.throwIfAborted()
    const held = Math.min(left, MOST_HELD_MS)
    const began = performance.now()
    const target = `${path}&strict=true&wait=${Math.ceil(held / 1_000)}`
    const question = { method: 'GET', path: target, timeoutMs: held + TIMEOUT_MS, signal } as const
    const reply = await ask(findAgent(), toolName(), question).catch((error: unknown) => {
      signal?.throwIfAborted()
      if (error instanceof NobodyAnswers || (error instanceof LatchkeyError && error.code === 'timeout'))
        return undefined
      throw error
    })
    if (reply !== undefined) {
      hasAnswered = true
      if (reply.status === 200) return tokenIn(reply.body)
      const failure = failureIn(reply)
      const isTooShort = failure.code === 'too_short'
      // The agent answers early only if even a new token would expire too soon.
      if (isTooShort && performance.now() - began < held) return undefined
      if (!isTooShort && !WAITABLE.includes(failure.code)) throw failure
    }
    if (performance.now() - began < held) await sleep(AGAIN_MS, undefined, { signal }).catch(() => {})
    // At most the time of one request is subtracted: if more has passed, the computer slept, and nobody could sign in.
    left -= Math.min(performance.now() - began, held + AGAIN_MS)
  }
  return undefined
}

export const askForAnother = (
  token: string,
  connection: string | undefined,
  signal?: AbortSignal | undefined,
): Promise<TokenAnswer> =>
  get({ method: 'POST', path: `/v1/token/rejected?${query({}, connection)}`, body: { token }, signal }).then(tokenIn)

const query = (parameters: Record<string, string>, connection: string | undefined): string =>
  new URLSearchParams({ ...parameters, ...(connection === undefined ? {} : { connection }) }).toString()

export async function connectionAt(origin: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const status = await get({ method: 'GET', path: '/v1/status', signal }).catch(() => undefined)
  signal?.throwIfAborted()
  return Object.entries(status?.['connections'] ?? {}).find(([, each]) => each === origin)?.[0]
}

async function get(question: Question): Promise<Reply['body']> {
  const deadline = performance.now() + (hasAnswered ? RESTART_MS : START_MS)
  for (;;) {
    question.signal?.throwIfAborted()
    const location = findAgent()
    const reply = await ask(location, toolName(), question).catch((error: unknown) => {
      question.signal?.throwIfAborted()
      if (error instanceof NobodyAnswers) return error
      throw error
    })
    const isOver = performance.now() >= deadline
    if (reply instanceof NobodyAnswers) {
      if (isOver) {
        hasAnswered = false
        throw noAnswer(location, reply)
      }
    } else {
      hasAnswered = true
      if (reply.status === 200) return reply.body
      const failure = failureIn(reply)
      if (isOver || !PASSING.includes(failure.code)) throw failure
    }
    await sleep(RETRY_MS, undefined, { signal: question.signal }).catch(() => {})
  }
}

function failureIn({ status, body: { error, message } }: Reply): LatchkeyError {
  const sentence = typeof message === 'string' ? message : `Latchkey answered with status ${status}.`
  return new LatchkeyError(typeof error === 'string' ? error : 'unexpected_answer', sentence)
}

function tokenIn({ token, origin }: Reply['body']): TokenAnswer {
  // SECURITY: a line break in a token would start a new header.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new LatchkeyError('unexpected_answer', 'Latchkey answered with something that is not a token.')
  }
  return { token, ...(typeof origin === 'string' ? { origin } : {}) }
}

function findAgent(): Location {
  const { platform, env } = process
  return locate({ platform, env, home: homedir(), uid: process.getuid?.() ?? 0, isThere: existsSync })
}

/** LATCHKEY_TOOL, or the script's own name. */
function toolName(): string {
  const script = process.argv[1] === undefined ? '' : path.basename(process.argv[1])
  const name = process.env['LATCHKEY_TOOL'] || (script === '' ? 'Node' : `${script} (Node)`)
  // SECURITY: a line break in the tool's name would start a new header.
  // Node writes each character of a header as one byte, so each byte of the name in UTF-8 becomes a character.
  return Buffer.from(name.replace(/\p{C}/gu, ' ')).toString('latin1')
}

function noAnswer(location: Location, cause: NobodyAnswers): LatchkeyError {
  const where = `(No answer at ${location.path}.)`
  const failure = (code: string, sentence: string) => new LatchkeyError(code, `${sentence} ${where}`, { cause })
  if (location.kind === 'pipe' || !existsSync(location.dataFolder))
    return failure('not_reachable', "Latchkey isn't running, or can't be reached. Start Latchkey.")
  return isAppRunning(path.join(location.dataFolder, 'SingletonLock'))
    ? failure('not_reachable', "Latchkey is running, but its agent doesn't answer. Latchkey's window says why.")
    : failure('not_running', "Latchkey isn't running. Start it and sign in.")
}

/** Chromium's lock is a symbolic link to `<host name>-<process id>`. */
function isAppRunning(lock: string): boolean {
  try {
    const pid = Number(readlinkSync(lock).split('-').at(-1))
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
