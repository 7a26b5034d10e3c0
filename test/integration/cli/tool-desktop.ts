/** A signed-in desktop for tools: the real agent, and a data service that accepts only the current token. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { GRANTS } from '../../../contract/grants.ts'
import type { ConnectionView, SessionEnd, SessionView } from '../../../contract/views.ts'
import type { Agent } from '../../../main/agent/agent.ts'
import type { SignedOut } from '../../../main/agent/sign-out.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { accessToken } from '../../../main/base/secret.ts'
import { ModelSource } from '../../agent/model-source.ts'
import { agentAt } from '../../agent/rig.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { PATH } from './programs.ts'

const LIFETIME = 300_000

/** A session whose refreshes succeed at once by default. */
export class TestSession extends ModelSource {
  readonly clock: DeadlineClock
  readonly issued = new Set<string>()
  #hangs = false
  failsToRefresh = false

  constructor(clock = new DeadlineClock(systemTime)) {
    super(clock)
    this.clock = clock
  }

  /** Sets the current token, received `age` milliseconds ago. */
  hold(text: string, age = 0, lifetime = LIFETIME, account = 'ana'): void {
    this.issued.add(text)
    const receivedAt = this.clock.now() - age
    const token = { accessToken: accessToken(text), receivedAt, expiresAt: receivedAt + lifetime }
    this.become({ kind: 'signedIn', account, token, refresh: { kind: 'idle', notBefore: 0 } })
  }

  /** Makes refreshing impossible. The current token is valid for `left` more milliseconds. */
  end(left: number): void {
    this.hold(TOKEN, LIFETIME - left)
    this.refuse()
  }

  /** Removes the token, and makes the service unreachable. */
  loseService(): void {
    const notBefore = this.clock.now() + 60_000
    this.become({ kind: 'signedIn', account: 'ana', refresh: { kind: 'idle', notBefore, failure: 'unreachable' } })
  }

  /** Removes the token. From now on, the service answers no refresh. */
  hang(): void {
    this.#hangs = true
    this.become({ kind: 'signedIn', account: 'ana', refresh: { kind: 'idle', notBefore: 0 } })
  }

  get isRefreshing(): boolean {
    return this.tokenState.kind === 'signedIn' && this.tokenState.refresh.kind === 'running'
  }

  override refresh(): void {
    if (this.#hangs) {
      super.refresh()
    } else {
      this.refreshes++
      if (this.failsToRefresh) this.loseService()
      else this.hold(`${TOKEN}.${this.refreshes}`)
    }
  }
}

/** The first token. Later ones have a number at the end. */
export const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl'

const bodyOf = (url: string) => JSON.stringify({ path: url, rows: 42 })

/** The part of WebDAV (RFC 4918) that a folder with one file needs. */
function propertiesOf(url: string): string {
  const paths = url === '/' ? ['/', '/table.csv'] : [url]
  const responses = paths.map(
    (each) => `<D:response><D:href>${each}</D:href><D:propstat><D:prop>
<D:resourcetype>${each === '/' ? '<D:collection/>' : ''}</D:resourcetype>
<D:getcontentlength>${bodyOf(each).length}</D:getcontentlength>
<D:getlastmodified>Fri, 02 Jan 2026 03:04:05 GMT</D:getlastmodified>
</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`,
  )
  return `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${responses.join('')}</D:multistatus>`
}

export class ToolDesktop {
  readonly session = new TestSession()
  /** The session of a second connection, called staging. Nobody is signed in there at first. */
  readonly staging = new TestSession()
  /** The address of staging's service, if it differs from that of the default connection's service. */
  stagingAddress: string | undefined
  readonly folder: string
  readonly socket: string
  readonly answers: number[] = []
  refused: string | undefined
  refusesAll = false
  /** True if the data service accepts older tokens until they expire, as real services do. */
  oldTokensServe = false
  signOuts: Readonly<Record<string, SignedOut['result']>> = {}
  end: SessionEnd | undefined
  lastToken: string | undefined
  lastBody = ''
  movedTo = ''
  readonly #agent: Agent
  // Some of the tests' tokens make a header longer than Node's default limit.
  readonly #data = createServer({ maxHeaderSize: 512 * 1_024 }, async (request, response) => {
    const { headers, url } = request
    this.lastBody = await text(request)
    this.lastToken = headers.authorization?.replace(/^Bearer /, '')
    const isWebDav = request.method === 'PROPFIND'
    const status = !this.#takes(this.lastToken) ? 401 : url === '/moved' ? 307 : isWebDav ? 207 : 200
    this.answers.push(status)
    response.writeHead(status, {
      'Content-Type': 'application/json',
      ...(status === 307 ? { Location: this.movedTo } : {}),
    })
    if (status === 207) response.end(propertiesOf(url ?? ''))
    else response.end(status === 200 ? bodyOf(url ?? '') : JSON.stringify({ error: 'invalid_token' }))
  })

  /** Starts a desktop that ends with the test. */
  static async start(socketName = 'agent.sock'): Promise<ToolDesktop> {
    const desktop = new ToolDesktop(socketName)
    onTestFinished(() => desktop.stop())
    await new Promise<void>((resolve) => desktop.#data.listen(0, '127.0.0.1', resolve))
    await desktop.startAgent()
    return desktop
  }

  private constructor(socketName: string) {
    this.folder = temporaryFolder()
    this.socket = path.join(this.folder, 'latchkey', socketName)
    this.session.hold(TOKEN)
    this.#agent = agentAt(
      { kind: 'socket', path: this.socket },
      {
        source: this.session,
        clock: this.session.clock,
        connections: {
          names: ['default', 'staging'],
          source: (name) => (name === 'staging' ? this.staging : this.session),
          signOut: async (connection) => ({ connection, result: this.signOuts[connection] ?? 'notSignedIn' }),
        },
        view: (name) => ({ version: '0.1.0', session: this.#view(), connection: this.#connection(name) }),
      },
    )
  }

  get token(): string | undefined {
    return this.session.tokenState.kind === 'signedIn' ? this.session.tokenState.token?.accessToken.reveal() : undefined
  }

  get dataUrl(): string {
    return `http://127.0.0.1:${(this.#data.address() as AddressInfo).port}/tables`
  }

  get env() {
    return { PATH, HOME: this.folder, LATCHKEY_SOCKET: this.socket, DATA_URL: this.dataUrl }
  }

  get tools(): string[] {
    return this.#agent.usage.list('default').map(({ name }) => name)
  }

  get waiting(): string[] {
    return this.#agent.needs.list().flatMap(({ waiting }) => waiting.map(({ name }) => name))
  }

  /** The tools that got a token of the connection staging. */
  get uses() {
    return this.#agent.usage.list('staging')
  }

  async startAgent(): Promise<void> {
    const state = await this.#agent.start()
    if (state.kind !== 'on') throw new Error(`the agent is ${JSON.stringify(state)}`)
  }

  turnOffAgent(by: 'user' | 'administrator'): Promise<void> {
    return this.#agent.turnOff(by)
  }

  stopAgent(): Promise<void> {
    return this.#agent.stop()
  }

  async stop(): Promise<void> {
    await this.#agent.stop()
    this.#data.closeAllConnections()
    await new Promise((resolve) => this.#data.close(resolve))
  }

  #takes(token: string | undefined): boolean {
    if (token === undefined || token === this.refused || this.refusesAll) return false
    return token === this.token || (this.oldTokensServe && this.session.issued.has(token))
  }

  #connection(name: string): ConnectionView {
    const { host } = new URL(name === 'staging' ? (this.stagingAddress ?? this.dataUrl) : this.dataUrl)
    return { baseAddress: `http://${host}/`, host, source: 'user', grants: [GRANTS.password] }
  }

  #view(): SessionView {
    if (this.session.tokenState.kind !== 'signedIn') return { kind: 'signedOut', revocation: 'none' }
    const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
    const receivedAt = Date.now()
    const token = { receivedAt, expiresAt: receivedAt + LIFETIME, refreshesAt: receivedAt + LIFETIME / 2 }
    const { end } = this
    return { kind: 'active', account, token, refresh: 'idle', kept: 'keychain', ...(end && { end }) }
  }
}
