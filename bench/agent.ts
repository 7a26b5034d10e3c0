/** Compares the agent with a bare server in the same Electron, and `latchkey token` with curl. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../test/keyring/programs.ts'
import { ordinaryUser } from '../test/support/ordinary-user.ts'
import type { Desktop } from './desktop.ts'
import { during } from './program.ts'
import { type Figure, interleave, median, quantile } from './report.ts'

const REQUESTS = 2_000
const CLIENTS = 100
/** For each round of the command. With more rounds, a pause of the machine distorts their median less. */
const ROUNDS_OF_REQUESTS = 4
const COMMAND_RUNS = 15
const ASKERS = 100
const SLOW_REFRESH_MS = 100
const START_TIMEOUT_MS = 60_000
const TOKEN_REQUEST = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n'
const REFUSALS = ['EAGAIN', 'ECONNREFUSED', 'ECONNRESET']

export function agent(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { programs, socketOf } = desktop
  return during(programs.latchkey, async () => {
    const socket = socketOf(programs.latchkey)
    await answered(socket)
    const env = { ...programs.bareServer.env, BENCH_ANSWER: await recorded(socket) }
    return during({ ...programs.bareServer, env }, async () => {
      const bare = socketOf(programs.bareServer)
      await answered(bare)
      return [
        ...(await requests(socket, bare, rounds * ROUNDS_OF_REQUESTS)),
        await command(desktop, { socket, bare }, rounds),
        {
          name: 'refresh',
          what: `refreshes for ${ASKERS} tools at once`,
          limit: 1,
          counted: await refreshes(desktop, socket),
        },
      ]
    })
  })
}

/** Asks for a token until the status is 200. Returns when that answer arrived (`performance.now()`). */
export async function answered(socket: string): Promise<number> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline) {
    const answer = await askOnce(socket).catch(() => undefined)
    if (answer?.startsWith('HTTP/1.1 200')) return performance.now()
    await sleep(2)
  }
  throw new Error(`${socket} served no token`)
}

async function requests(socket: string, bareSocket: string, rounds: number): Promise<Figure[]> {
  const [ours, bare] = [(await askOnce(socket)).length, (await askOnce(bareSocket)).length]
  const measure = (load: typeof kept) => {
    return interleave(rounds, { latchkey: () => load(socket, ours), bare: () => load(bareSocket, bare) })
  }
  const one = await measure(kept)
  const crowd = await measure(crowded)
  const of = (taken: typeof one, share: number) => ({
    unit: 'ms' as const,
    latchkey: taken.latchkey.map(({ samples }) => quantile(samples, share)),
    bare: taken.bare.map(({ samples }) => quantile(samples, share)),
  })
  const counted = crowd.latchkey.reduce((sum, { refused }) => sum + refused, 0)
  return [
    { name: 'kept', what: 'agent: one open connection', limit: 1.3, ...of(one, 0.5) },
    { name: 'clients', what: `agent: ${CLIENTS} clients, p99`, limit: 1.5, ...of(crowd, 0.99) },
    { name: 'refused', what: `agent: ${CLIENTS} clients, refused connections`, limit: 0, counted },
  ]
}

/** Sends all requests on one connection. The first one, which waits for the connection, doesn't count. */
async function kept(path: string, length: number) {
  const socket = connect(path)
  await ask(socket, length)
  const samples: number[] = []
  for (let n = 0; n < REQUESTS; n++) {
    const began = performance.now()
    await ask(socket, length)
    samples.push(performance.now() - began)
  }
  socket.destroy()
  return { samples, refused: 0 }
}

/** Shares the requests among clients, which open a connection for each request. */
async function crowded(path: string, length: number) {
  const samples: number[] = []
  let refused = 0
  let left = REQUESTS
  const client = async () => {
    while (left-- > 0) {
      const began = performance.now()
      const socket = connect(path)
      try {
        await ask(socket, length)
        samples.push(performance.now() - began)
      } catch (error) {
        if (!REFUSALS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
        refused += 1
      }
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { samples, refused }
}

/** Only counts the answer's bytes, up to this length or the one it names, so nearly all the time is the server's. */
function ask(socket: Socket, length?: number, request = TOKEN_REQUEST): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const onData = (chunk: string) => {
      answer += chunk
      if (answer.length < (length ?? lengthOf(answer))) return
      socket.off('data', onData).off('error', reject).off('close', onClose)
      if (answer.startsWith('HTTP/1.1 200')) resolve(answer)
      else reject(new Error(`a wrong answer: ${answer}`))
    }
    const onClose = () => reject(new Error('the server hung up'))
    socket.setEncoding('latin1').on('data', onData).on('error', reject).on('close', onClose)
    socket.write(request)
  })
}

function lengthOf(answer: string): number {
  const head = /^HTTP.*?^content-length: (\d+).*?\r\n\r\n/ims.exec(answer)
  return head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1])
}

async function askOnce(path: string, request = TOKEN_REQUEST): Promise<string> {
  const socket = connect(path)
  try {
    return await ask(socket, undefined, request)
  } finally {
    socket.destroy()
  }
}

async function command(
  { cli, home }: Desktop,
  { socket, bare }: Readonly<Record<'socket' | 'bare', string>>,
  rounds: number,
): Promise<Figure> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LATCHKEY_SOCKET: socket }
  const ours = [cli, 'token']
  const curl = ['curl', '-q', '--silent', '--unix-socket', bare, 'http://localhost/v1/token']
  for (const [program = '', ...args] of [ours, curl]) {
    const { stdout } = await run(program, args, { env, ...ordinaryUser() })
    if (stdout.trim() === '') throw new Error(`${program} printed no token`)
  }
  const taken = await interleave(rounds, { latchkey: () => time(ours, env), bare: () => time(curl, env) })
  const shell = path.basename(realpathSync('/bin/sh'))
  return { name: 'command', what: `latchkey token (${shell}), compared with curl`, unit: 'ms', limit: 1.4, ...taken }
}

/** The median time of a command from start to exit, without the overhead of Node and the shell. */
async function time(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const [all, nothing]: [number[], number[]] = [[], []]
  for (let n = 0; n < COMMAND_RUNS; n++) {
    nothing.push(await timeOnce([], env))
    all.push(await timeOnce(words, env))
  }
  return median(all) - median(nothing)
}

async function timeOnce(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now()
  // Without words, this measures only the shell itself.
  const shell = spawn('/bin/sh', ['-c', '[ "$#" = 0 ] || "$@" >/dev/null', 'sh', ...words], {
    env,
    ...ordinaryUser(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(shell, 'exit')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  return performance.now() - startedAt
}

/** How many refreshes reach the service when many tools report the same rejected token at once. */
async function refreshes({ service }: Desktop, socket: string): Promise<number> {
  const token = tokenIn(await askOnce(socket))
  const body = JSON.stringify({ token })
  const head = `POST /v1/token/rejected HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const count = () => service.requests.filter(({ operation }) => operation === 'refresh').length
  const before = count()
  const undo = service.inject('refresh', { kind: 'slow', ms: SLOW_REFRESH_MS }, { times: Number.POSITIVE_INFINITY })
  const answers = await Promise.all(Array.from({ length: ASKERS }, () => askOnce(socket, request)))
  undo()
  const tokens = new Set(answers.map(tokenIn))
  if (tokens.size !== 1 || tokens.has(token)) throw new Error('not every tool got the new token')
  return count() - before
}

const tokenIn = (answer: string): string => JSON.parse(answer.split('\r\n\r\n')[1] ?? '').token

/** The agent's answer, which the bare server repeats. The headers that Node adds by itself are left out. */
async function recorded(socket: string): Promise<string> {
  const [head = '', body] = (await askOnce(socket)).split('\r\n\r\n')
  const headers = [...head.matchAll(/^((?:content|cache)-[\w-]+): (.*?)\r?$/gim)].map(([, ...entry]) => entry)
  return JSON.stringify({ headers: Object.fromEntries(headers), body })
}
