/** A desktop with Latchkey's agent and bridges, on which AI clients run `latchkey mcp`. */
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Agent } from '../../main/agent/agent.ts'
import { Bridges } from '../../main/mcp/bridges.ts'
import { createHttpClient } from '../../main/service/http-client.ts'
import { LATCHKEY, newFolder } from '../integration/cli/programs.ts'
import { TestSession } from '../integration/cli/tool-desktop.ts'

export class McpDesktop {
  readonly session = new TestSession()
  readonly agent: Agent
  readonly bridges: Bridges
  readonly socket: string
  /** What the policy says. */
  isAllowed = true
  listed = ''
  dataAddress = ''
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
    this.agent = new Agent({
      location: { kind: 'socket', path: this.socket },
      connections: {
        names: ['default'],
        source: () => this.session,
        signOut: async (connection) => ({ connection, result: 'notSignedIn' }),
      },
      clock,
      uid: process.getuid?.(),
      bridges: this.bridges,
      view: () => ({ version: '0.1.0', session: { kind: 'signedOut', revocation: 'none' } }),
    })
  }

  /** True for the current token. */
  readonly accepts = (token: string | undefined): boolean => {
    const { tokenState } = this.session
    return tokenState.kind === 'signedIn' && token === tokenState.token?.accessToken.reveal()
  }

  transport(...args: readonly string[]): StdioClientTransport {
    const env = { ...getDefaultEnvironment(), LATCHKEY_SOCKET: this.socket }
    return new StdioClientTransport({ command: LATCHKEY, args: ['mcp', ...args], env, stderr: 'pipe' })
  }

  /** Starts an AI client, which runs `latchkey mcp`. */
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
