/** Compares the agent with a bare server in the same Electron, and `latchkey token` with curl, in milliseconds. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { ordinaryUser } from '../test/support/ordinary-user.ts'
import { type Command, output, time } from './commands.ts'
import type { Desktop } from './desktop.ts'
import { answered, askOnce, type Load, probe, run, TOKEN_REQUEST } from './load.ts'
import { during } from './program.ts'
import type { Figure } from './report.ts'
import { interleave } from './rounds.ts'
import { median, quantile } from './statistics.ts'

const KEPT: Load = { clients: 1, requests: 2_000, keep: true }
const CLIENTS: Load = { clients: 100, requests: 2_000, keep: false }
/**
 * How many rounds of requests there are for each round of the command. The more rounds there are, the less a pause of
 * the machine distorts their median.
 */
const ROUNDS_OF_REQUESTS = 4
const COMMAND_RUNS = 15
const ASKERS = 100
const SLOW_REFRESH_MS = 100

export function agent(desktop: Desktop, rounds: number): Promise<Figure[]> {
  const { programs, socketOf } = desktop
  return during(programs.latchkey, async () => {
    const socket = socketOf(programs.latchkey)
    await answered(socket)
    const bareServer = {
      ...programs.bareServer,
      env: { ...programs.bareServer.env, BENCH_ANSWER: await answerOf(socket) },
    }
    return during(bareServer, async () => {
      const bareSocket = socketOf(bareServer)
      await answered(bareSocket)
      return [
        ...(await requests(socket, bareSocket, rounds * ROUNDS_OF_REQUESTS)),
        await command(desktop, { socket, bareSocket }, rounds),
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

async function requests(socket: string, bareSocket: string, rounds: number): Promise<Figure[]> {
  const [ours, bare] = await Promise.all([socket, bareSocket].map((each) => probe(tokenRequest(each))))
  if (ours === undefined || bare === undefined) throw new Error('no endpoint')
  const kept = await interleave(rounds, { latchkey: () => run(ours, KEPT), bare: () => run(bare, KEPT) })
  const crowd = await interleave(rounds, { latchkey: () => run(ours, CLIENTS), bare: () => run(bare, CLIENTS) })
  const of = (taken: typeof kept, share: number) => ({
    unit: 'ms' as const,
    latchkey: taken.latchkey.map(({ samples }) => quantile(samples, share)),
    bare: taken.bare.map(({ samples }) => quantile(samples, share)),
  })
  const refused = crowd.latchkey.reduce((sum, each) => sum + each.refused, 0)
  return [
    { name: 'kept', what: 'agent: one open connection', limit: 1.3, ...of(kept, 0.5) },
    { name: 'clients', what: `agent: ${CLIENTS.clients} clients, p99`, limit: 1.5, ...of(crowd, 0.99) },
    { name: 'refused', what: `agent: ${CLIENTS.clients} clients, refused connections`, limit: 0, counted: refused },
  ]
}

async function command(
  { cli, home }: Desktop,
  { socket, bareSocket }: { readonly socket: string; readonly bareSocket: string },
  rounds: number,
): Promise<Figure> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LATCHKEY_SOCKET: socket }
  const runAs = { env, ...ordinaryUser() }
  const words = ['curl', '-q', '--silent', '--unix-socket', bareSocket, 'http://localhost/v1/token']
  const sides: Record<'latchkey' | 'bare', Command> = {
    latchkey: { words: [cli, 'token'], ...runAs },
    bare: { words, ...runAs },
  }
  const tokens = await Promise.all([output(sides.latchkey), output(sides.bare)])
  if (!tokens.every((each) => each.length > 0)) throw new Error('a command printed no token')
  const measure = (side: Command) => async () => median(await time(side, COMMAND_RUNS))
  const taken = await interleave(rounds, { latchkey: measure(sides.latchkey), bare: measure(sides.bare) })
  const shell = path.basename(realpathSync('/bin/sh'))
  return { name: 'command', what: `latchkey token (${shell}), compared with curl`, unit: 'ms', limit: 1.4, ...taken }
}

/** How many refreshes reach the service when many tools report the same rejected token at once. */
async function refreshes({ service }: Desktop, socket: string): Promise<number> {
  const token = tokenIn(await askOnce({ socket, request: TOKEN_REQUEST }))
  const body = JSON.stringify({ token })
  const head = `POST /v1/token/rejected HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const count = () => service.requests.filter(({ operation }) => operation === 'refresh').length
  const before = count()
  const undo = service.inject('refresh', { kind: 'slow', ms: SLOW_REFRESH_MS }, { times: Number.POSITIVE_INFINITY })
  const answers = await Promise.all(Array.from({ length: ASKERS }, () => askOnce({ socket, request })))
  undo()
  const tokens = new Set(answers.map(tokenIn))
  if (tokens.size !== 1 || tokens.has(token)) throw new Error('not every tool got the new token')
  return count() - before
}

const tokenRequest = (socket: string) => ({
  socket,
  request: TOKEN_REQUEST,
  isGood: (begin: Buffer) => begin.toString('latin1', 9, 12) === '200',
})

const tokenIn = (answer: Buffer): string => JSON.parse(answer.toString().split('\r\n\r\n')[1] ?? '').token

/** The agent's answer, which the bare server repeats. The headers that Node adds by itself are left out. */
async function answerOf(socket: string): Promise<string> {
  const [head = '', body = ''] = (await askOnce({ socket, request: TOKEN_REQUEST })).toString().split('\r\n\r\n')
  const headers = [...head.matchAll(/^((?:content|cache)-[\w-]+): (.*)$/gim)].map(([, name, value]) => [
    name,
    value?.trim(),
  ])
  return JSON.stringify({ headers: Object.fromEntries(headers), body })
}
