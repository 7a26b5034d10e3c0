import { readdirSync, readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Agent } from '../../main/agent/agent.ts'
import { Bridges } from '../../main/mcp/bridges.ts'
import { createHttpClient } from '../../main/service/http-client.ts'
import { ask } from '../agent/client.ts'
import { agentAt } from '../agent/rig.ts'
import { LATCHKEY, newFolder, PATH, type Run, run } from '../integration/cli/programs.ts'
import { TestSession } from '../integration/cli/tool-desktop.ts'

export class McpDesktop {
  readonly session = new TestSession()
  readonly agent: Agent
  readonly bridges: Bridges
  readonly socket: string
  isAllowed = true
  listed = ''
  dataAddress = ''
  acceptsNone = false
  #spoilt: string | undefined
  readonly #clients: Client[] = []
  readonly #remove: () => void

  constructor() {
    const { folder, remove } = newFolder()
    this.#remove = remove
    this.socket = `${folder}/latchkey/agent.sock`
    const { clock } = this.session
    this.session.hold('token-0')
    this.bridges = new Bridges({
      http: createHttpClient({ userAgent: 'Latchkey/0.0.0', clock }),
      clock,
      isAllowed: () => this.isAllowed,
      addresses: () => ({ data: this.dataAddress, listed: this.listed }),
      source: () => this.session,
    })
    const { session, bridges } = this
    this.agent = agentAt({ kind: 'socket', path: this.socket }, { source: session, clock, bridges })
  }

  readonly accepts = (token: string | undefined): boolean =>
    !this.acceptsNone && token === this.#current && token !== this.#spoilt

  get #current(): string | undefined {
    const { tokenState } = this.session
    return tokenState.kind === 'signedIn' ? tokenState.token?.accessToken.reveal() : undefined
  }

  spoil(): void {
    this.#spoilt = this.#current
  }

  run(...[word = '', input = '', more = '']: readonly string[]): Promise<Run> {
    const words = [LATCHKEY, 'mcp', word, more].filter((each) => each !== '')
    return run(words, { env: { PATH, HOME: '/', LATCHKEY_SOCKET: this.socket }, input, cwd: '/' })
  }

  async version(command: string): Promise<string> {
    return (await run([command, '--version'], { env: { PATH }, input: '', cwd: '/' })).stdout
  }

  async ask(method: string, path: string): Promise<number> {
    return (await ask(this.socket, path, { method })).status
  }

  /** The arguments and environments of all processes that this user can look into. */
  processes(): readonly string[] {
    const files = readdirSync('/proc')
      .filter((each) => /^\d+$/.test(each))
      .flatMap((pid) => [`${pid}/cmdline`, `${pid}/environ`])
    return files.map(readIfThere)
  }

  transport(...args: readonly string[]): StdioClientTransport {
    const env = { ...getDefaultEnvironment(), LATCHKEY_SOCKET: this.socket }
    return new StdioClientTransport({ command: LATCHKEY, args: ['mcp', ...args], env, stderr: 'pipe' })
  }

  async connect(transport = this.transport()): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: { listChanged: true } } })
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ana' }] }))
    this.#clients.push(client)
    await client.connect(transport)
    return client
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()))
    await this.bridges.stop()
    await this.agent.stop()
    this.#remove()
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch {
    return ''
  }
}
