/** Everything that is measured, started once for all rounds. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DemoService, startDemoService } from '../demo/service.ts'
import { ANA } from '../demo/users.ts'
import { startKeyring } from '../test/keyring/keyring.ts'
import { run } from '../test/keyring/programs.ts'
import { type Command, output } from './commands.ts'
import { startLatchkeyApp } from './latchkey-app.ts'
import { askOnce, type Endpoint, probe } from './load.ts'
import { type OidcAgent, startOidcAgent } from './oidc-agent.ts'
import type { AgentOrder } from './servers/agent-server.ts'
import type { BareOrder } from './servers/bare-server.ts'
import { startServer } from './servers/serve.ts'

export interface Subjects {
  readonly service: DemoService
  /** The agent in plain Node. */
  readonly agentSocket: string
  readonly oidcAgent: OidcAgent | undefined
  /** Nothing of anybody is in there. */
  readonly home: string
  /** By name; the first is the floor. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly commands: ReadonlyMap<string, Command>
  /** What could not be had, and why. */
  readonly missing: ReadonlyMap<string, string>
  stop(): Promise<void>
}

export const BARE = 'bare Node server'
export const AGENT = 'Latchkey'
export const APP = 'Latchkey, the app'
export const BARE_APP = 'bare server in Electron'
export const OIDC_AGENT = 'oidc-agent'
export const CURL = 'curl on the bare server'
export const OIDC_TOKEN = 'oidc-token'

const PATH = '/usr/local/bin:/usr/bin:/bin'
const DAY = 86_400
const REQUEST = 'GET /v1/token HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n'
const http = (socket: string) =>
  probe({ socket, request: REQUEST, keeps: true, isGood: (begin) => begin.toString('latin1', 9, 12) === '200' })

export async function startSubjects({ withApp }: { readonly withApp: boolean }): Promise<Subjects> {
  const undo: (() => unknown)[] = []
  const keep = <T extends { stop(): unknown }>(thing: T): T => {
    undo.push(() => thing.stop())
    return thing
  }
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  try {
    return { ...(await start(keep, withApp)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(keep: <T extends { stop(): unknown }>(thing: T) => T, withApp: boolean) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-bench-'))
  keep({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  const inside = (name: string) => path.join(folder, name)
  const missing = new Map<string, string>()
  const endpoints = new Map<string, Endpoint>()
  const commands = new Map<string, Command>()
  /** What the machine may lack. */
  const attempt = async <T>(name: string, begin: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await begin()
    } catch (error) {
      missing.set(name, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  const service = keep(await startDemoService({ tokenLifetime: DAY }))
  const { username, password } = ANA
  const [agentSocket, bareSocket] = [inside('agent.sock'), inside('bare.sock')]
  const agentOrder: AgentOrder = { socket: agentSocket, baseAddress: service.address, username, password }
  keep(await startServer('agent', agentOrder))
  const answer = await answerOf(agentSocket)
  keep(await startServer('bare', { socket: bareSocket, ...answer } satisfies BareOrder))
  endpoints.set(BARE, await http(bareSocket))
  endpoints.set(AGENT, await http(agentSocket))
  if (withApp) {
    const app = await attempt(APP, async () => keep(await startLatchkeyApp(service.address, answer)))
    if (app !== undefined) {
      endpoints.set(BARE_APP, await http(app.bareSocket))
      endpoints.set(APP, await http(app.socket))
    }
  } else missing.set(APP, 'left out: run without --no-app')

  const oidcAgent = await attempt(OIDC_AGENT, async () => keep(await startOidcAgent(folder, PATH)))
  if (oidcAgent !== undefined) {
    const { socket } = oidcAgent
    const isGood = (begin: Buffer) => begin.includes('"success"')
    endpoints.set(OIDC_AGENT, await probe({ socket, request: oidcAgent.request(60), keeps: false, isGood }))
  }

  const url = 'http://localhost/v1/token'
  const env = { PATH, HOME: folder, LATCHKEY_SOCKET: agentSocket }
  commands.set(CURL, { words: ['curl', '-q', '--silent', '--unix-socket', bareSocket, url], env })
  for (const [name, words] of shells(inside('shells'))) commands.set(name, { words, env })
  for (const { name, program, packaged } of OTHER_SHELLS) {
    if (!exists(program)) missing.set(`latchkey token, ${name} as sh`, `not installed: apt-get install ${packaged}`)
  }
  if (oidcAgent === undefined) missing.set(OIDC_TOKEN, 'without its oidc-agent')
  else commands.set(OIDC_TOKEN, oidcAgent.token())
  const secretTool = await attempt('secret-tool lookup', async () => secretToolIn(keep(await startKeyring())))
  if (secretTool !== undefined) commands.set('secret-tool lookup', secretTool)
  for (const command of commands.values()) await output(command)
  return { service, agentSocket, oidcAgent, home: folder, endpoints, commands, missing }
}

/** What the agent answers, to be given by the bare server too. */
async function answerOf(socket: string): Promise<Pick<BareOrder, 'headers' | 'body'>> {
  const [head = '', body = ''] = (await askOnce({ socket, request: REQUEST })).toString().split('\r\n\r\n')
  const all = head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => {
      const [name = '', value = ''] = line.split(': ')
      return [name, value]
    })
  // Node adds the others by itself.
  return { headers: Object.fromEntries(all.filter(([name]) => /^(content-|cache-)/i.test(name))), body }
}

const OTHER_SHELLS = [
  { name: 'bash', program: '/bin/bash', packaged: 'bash' },
  { name: 'busybox', program: '/bin/busybox', packaged: 'busybox' },
] as const
const exists = (file: string) => existsSync(file)

/** `latchkey token`, as it is started, and with the other shells that are some systems' sh. */
function* shells(folder: string): Generator<[string, readonly string[]]> {
  const latchkey = path.resolve('cli/latchkey')
  const own = path.basename(realpathSync('/bin/sh'))
  yield [`latchkey token, ${own} as sh`, [latchkey, 'token']]
  mkdirSync(folder)
  for (const { name, program } of OTHER_SHELLS) {
    if (name === own || !exists(program)) continue
    mkdirSync(path.join(folder, name))
    // A shell that is called sh behaves as one.
    const sh = path.join(folder, name, 'sh')
    symlinkSync(program, sh)
    yield [`latchkey token, ${name} as sh`, [sh, latchkey, 'token']]
  }
}

async function secretToolIn({ env: session }: Awaited<ReturnType<typeof startKeyring>>): Promise<Command> {
  const env = { ...session, PATH }
  const attributes = ['service', 'Latchkey bench', 'account', 'ana']
  const script = 'printf %s "a token" | secret-tool store --label=bench "$@"'
  const { code, stdout } = await run('/bin/sh', ['-c', script, 'sh', ...attributes], { env })
  if (code !== 0) throw new Error(`secret-tool store ended with ${code}: ${stdout}`)
  return { words: ['secret-tool', 'lookup', ...attributes], env }
}
