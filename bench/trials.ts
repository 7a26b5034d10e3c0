/** What tools meet while the service is slow, hangs or refuses: Latchkey beside oidc-agent. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlledServer } from '../demo/server.ts'
import { type Command, output } from './commands.ts'
import { askOnce } from './load.ts'
import { AGENT, OIDC_AGENT, type Subjects } from './subjects.ts'

export interface Trial {
  readonly what: string
  /** By contender, in words. */
  readonly outcomes: Readonly<Record<string, string>>
}

interface Contender {
  readonly name: string
  /** Asks for a token that is in hand. */
  valid(): Promise<string>
  /** Has it renewed, whatever life it has. */
  force(): Promise<string>
  refreshes(): number
  /** Puts the service's refreshes out of order; returns the undo. */
  spoil(fault: { readonly kind: 'slow'; readonly ms: number } | { readonly kind: 'hang' }): () => void
  /** Lets go of whatever hangs. */
  drop(): Promise<void>
  /** The service refuses the refresh token from now on. */
  revoke(): void
  /** Its command, where nobody listens. */
  readonly unheard: Command
}

/** Longer than this nobody is waited for: milliseconds. */
const PATIENCE = 5_000
const REFRESH = 100
const SLOW_REFRESH = 1_500

export async function hold(subjects: Subjects): Promise<readonly Trial[]> {
  const contenders = [latchkey(subjects), ...(subjects.oidcAgent === undefined ? [] : [oidcAgent(subjects.oidcAgent)])]
  const trials: Trial[] = []
  for (const [what, attempt] of Object.entries(TRIALS)) {
    const outcomes: Record<string, string> = {}
    for (const each of contenders) outcomes[each.name] = await attempt(each)
    trials.push({ what, outcomes })
  }
  return trials
}

const TRIALS: Record<string, (contender: Contender) => Promise<string>> = {
  async [`50 forced at once, ${REFRESH} ms a refresh`]({ spoil, force, refreshes }) {
    const heal = spoil({ kind: 'slow', ms: REFRESH })
    const [before, began] = [refreshes(), performance.now()]
    await Promise.all(Array.from({ length: 50 }, force))
    heal()
    return `${counted(refreshes() - before, 'refresh', 'refreshes')}, all served after ${since(began)}`
  },
  async [`a valid token, behind a refresh of ${SLOW_REFRESH} ms`]({ spoil, force, valid, refreshes }) {
    const heal = spoil({ kind: 'slow', ms: SLOW_REFRESH })
    const before = refreshes()
    const forced = force()
    while (refreshes() === before) await sleep(1)
    const waited = await waitOf(valid)
    heal()
    await forced
    return waited
  },
  async 'a valid token, while the service hangs'({ spoil, force, valid, refreshes, drop }) {
    const heal = spoil({ kind: 'hang' })
    const before = refreshes()
    const forced = force().catch(() => {})
    while (refreshes() === before) await sleep(1)
    const waited = await waitOf(valid)
    heal()
    await drop()
    await forced
    return waited
  },
  async 'a valid token, after a refused refresh'({ revoke, force, valid }) {
    // Where the last one failed, a pause is made.
    await sleep(1_000)
    if (!hasToken(await valid())) return 'not served before either'
    revoke()
    await force()
    const answer = await valid()
    return hasToken(answer) ? 'served' : `not served: ${answer.slice(answer.indexOf('{'))}`
  },
  async 'nobody listens'({ unheard }) {
    const failed = await output(unheard).catch((error: { stderr: string }) => error.stderr)
    return failed
      .trim()
      .replace(/\s+/g, ' ')
      .replace(unheard.env['HOME'] ?? '', '…')
  },
}

function latchkey({ service, agentSocket, home }: Subjects): Contender {
  const ask = (head: string, body = '') =>
    persist({ socket: agentSocket, request: `${head} HTTP/1.1\r\nHost: localhost\r\n${body || '\r\n'}` })
  const valid = () => ask('GET /v1/token?min_validity=0')
  return {
    name: AGENT,
    valid,
    async force() {
      const { token } = JSON.parse((await valid()).split('\r\n\r\n')[1] ?? '')
      const body = JSON.stringify({ token })
      const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      return ask('POST /v1/token/rejected', headers + body)
    },
    refreshes: () => count(service, 'refresh'),
    spoil: (fault) => service.inject('refresh', fault, { times: Number.POSITIVE_INFINITY }),
    drop: () => restart(service),
    revoke: () => {
      for (const each of service.issuedSecrets()) if (service.isRefreshTokenValid(each)) service.revoke(each)
    },
    unheard: { words: ['cli/latchkey', 'token'], env: { PATH: '/usr/bin:/bin', HOME: home } },
  }
}

function oidcAgent({ provider, socket, request, token }: NonNullable<Subjects['oidcAgent']>): Contender {
  const { words, env } = token()
  return {
    name: OIDC_AGENT,
    valid: () => persist({ socket, request: request(60) }),
    force: () => persist({ socket, request: request(-1) }),
    refreshes: () => count(provider, 'token'),
    spoil: (fault) => provider.inject('token', fault, { times: Number.POSITIVE_INFINITY }),
    drop: () => restart(provider),
    revoke: () => provider.revoke(),
    unheard: { words, env: { ...env, OIDC_SOCK: `${env['HOME']}/nobody.sock` } },
  }
}

const count = <Operation extends string>({ requests }: ControlledServer<Operation>, operation: Operation) =>
  requests.filter((request) => request.operation === operation).length

async function restart({ pause, resume }: Pick<ControlledServer<string>, 'pause' | 'resume'>): Promise<void> {
  await pause()
  await resume()
}

/** Asks again where the connection was refused: how often that happens is measured elsewhere. */
async function persist(endpoint: Parameters<typeof askOnce>[0]): Promise<string> {
  for (;;) {
    try {
      return (await askOnce(endpoint)).toString()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await sleep(5)
    }
  }
}

async function waitOf(valid: () => Promise<unknown>): Promise<string> {
  const began = performance.now()
  const isServed = await Promise.race([valid().then(() => true), sleep(PATIENCE, false, { ref: false })])
  return isServed ? `served after ${since(began)}` : `not served within ${PATIENCE / 1_000} s`
}

const hasToken = (answer: string) => /"(access_)?token":/.test(answer)

const since = (began: number) => {
  const taken = performance.now() - began
  return taken < 10 ? `${taken.toFixed(1)} ms` : `${Math.round(taken)} ms`
}

const counted = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
