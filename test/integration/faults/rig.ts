/** A running app: the real engine with the real service client, over a route that can change. */
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { setImmediate as turn } from 'node:timers/promises'
import { type Failure, OK, type Outcome } from '../../../contract/failures.ts'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { type IdentityProvider, startIdentityProvider } from '../../../demo/identity-provider.ts'
import { type DemoService, startDemoService } from '../../../demo/service.ts'
import { ANA } from '../../../demo/users.ts'
import { type Clock, DeadlineClock } from '../../../main/base/clock.ts'
import { password, Secret } from '../../../main/base/secret.ts'
import { MemoryStore } from '../../../main/keychain/fallback-store.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { BrowserAuthorizationServer } from '../../../main/service/authorization-server.ts'
import { createHttpClient, type HttpClient, type HttpOptions } from '../../../main/service/http-client.ts'
import { createIdentityProvider, createSecondFactor } from '../../../main/service/identity-provider.ts'
import { type EntryContent, entryName, readEntry } from '../../../main/session/entry.ts'
import type { BrowserPorts } from '../../../main/session/grants/browser.ts'
import type { GrantInput } from '../../../main/session/grants/grant.ts'
import { createGrants, type Issuers } from '../../../main/session/grants/grants.ts'
import type { Marker } from '../../../main/session/ports.ts'
import { SessionEngine } from '../../../main/session/session-engine.ts'
import type { SessionState } from '../../../main/session/state.ts'
import { expectWithout } from '../../support/local-servers.ts'
import { ManualTime } from '../../support/manual-time.ts'
import { type OddServer, silentListener } from './odd-servers.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE
/**
 * The age at which a token that lives for an hour is refreshed. That is 18 minutes before its end: 12 are a fifth of
 * its lifetime, and 6 come from the random value, which is fixed here.
 */
export const REFRESH_DUE = 42 * MINUTE

export const CREDENTIALS = { username: ANA.username, password: password(ANA.password) }
const NEW_PASSWORD = password('a brand new passphrase')
export const PASSWORDS = { currentPassword: CREDENTIALS.password, newPassword: NEW_PASSWORD }

/** The service's name in keychain entries, whatever route the app uses. */
const NAME = 'https://data.example'
const INSTALLATION = 'first'

export interface Connectivity extends Partial<Pick<HttpOptions, 'connectTimeout' | 'routeFor' | 'trusted'>> {
  /** The clock for the deadlines of requests; by default the app's own clock. */
  readonly deadlines?: Pick<Clock, 'now' | 'at'>
  readonly baseAddress: string
  readonly authAddress: string
}

export type Call =
  | 'login'
  | 'refresh'
  | 'logout'
  | 'changePassword'
  | 'ssoLogin'
  | 'ssoRefresh'
  | 'factor'
  | 'browser'
  | 'browserRefresh'
  | 'browserLogout'

interface Answer {
  readonly failure?: Failure
  readonly value?: object
}

/** A fake service, keychain and clock; everything else is real, over TLS on 127.0.0.1. */
export class Rig {
  readonly time: ManualTime
  readonly clock: DeadlineClock
  readonly service: DemoService
  readonly provider: IdentityProvider
  readonly session: SessionEngine
  readonly states: SessionState[] = []
  /** The service client's failures, the oldest first. */
  readonly failures: { readonly call: Call; readonly failure: Failure }[] = []
  connectivity: Connectivity
  readonly #healthy: Connectivity
  /** The server to which redirects lead. */
  readonly elsewhere: OddServer
  /** Holds a call back until the returned promise settles. */
  hold: (call: Call) => Promise<unknown> | undefined = () => undefined
  /** True if the settings can't be written. */
  isDiskFull = false
  #busy = 0
  readonly #keychain = new MemoryStore()
  readonly #marks = new Map<string, Marker>()
  readonly #oddServers: OddServer[] = []

  static async start(): Promise<Rig> {
    const time = new ManualTime()
    const start = time.wall()
    const tls = selfSignedCertificate()
    const options = { tls, now: () => start + time.trueTime }
    const service = await startDemoService(options)
    const provider = await startIdentityProvider(options)
    const rig = new Rig(time, service, provider, tls.cert, await silentListener())
    void rig.session.start()
    await rig.rest()
    return rig
  }

  private constructor(
    time: ManualTime,
    service: DemoService,
    provider: IdentityProvider,
    certificate: string,
    elsewhere: OddServer,
  ) {
    this.time = time
    this.clock = new DeadlineClock(time)
    this.service = service
    this.provider = provider
    this.elsewhere = this.meets(elsewhere)
    const trusted = async () => [certificate]
    this.#healthy = { baseAddress: service.address, authAddress: provider.address, trusted }
    this.connectivity = this.#healthy
    this.session = new SessionEngine({
      address: NAME,
      installation: INSTALLATION,
      grants: createGrants(this.#issuers()),
      store: {
        persistence: 'keychain',
        read: (name) => this.#keychain.read(name),
        write: (name, value) => this.#keychain.write(name, value),
        delete: (name) => this.#keychain.delete(name),
      },
      marker: {
        get: (name) => this.#marks.get(name),
        set: (name, mark) => !this.isDiskFull && this.#marks.set(name, mark) === this.#marks,
        clear: (name) => !this.isDiskFull && (this.#marks.delete(name) || true),
      },
      clock: this.clock,
      random: () => 0.5,
    })
    this.session.subscribe((state) => this.states.push(state))
  }

  get state(): SessionState {
    return this.session.state
  }

  answer(input: GrantInput): Promise<Outcome> {
    const { state } = this
    if (state.kind !== 'signingIn' || state.challenge === undefined) throw new Error(`no challenge: ${state.kind}`)
    return this.session.signIn.answer(state.challenge.id, state.challenge.kind, input)
  }

  /** Resolves once the app does nothing more until the clock moves, or until the test releases a call. */
  async rest(): Promise<void> {
    for (let calm = 0; calm < 4; calm++) {
      await turn()
      if (this.#busy > 0) calm = -1
    }
  }

  async pass(ms: number): Promise<void> {
    await this.rest()
    await this.time.passSettling(ms, () => this.rest())
  }

  heals(): void {
    this.service.clearFaults()
    this.provider.clearFaults()
    this.isDiskFull = false
    this.connectivity = this.#healthy
  }

  /** Adds a server, which stops with the rig. */
  meets(oddServer: OddServer): OddServer {
    this.#oddServers.push(oddServer)
    return oddServer
  }

  /** What the odd servers received, except CONNECT requests that tell nothing but the target's address. */
  get overheard(): readonly string[] {
    const connect = /^CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1\r\n(?:(?:Host|(?:Proxy-)?Connection): .+\r\n)*\r\n$/i
    return this.#oddServers.flatMap(({ heard }) => heard).filter((text) => !connect.test(text))
  }

  get entry(): EntryContent | undefined {
    const text = this.#keychain.held.get(entryName(NAME, INSTALLATION))
    const read = text && readEntry(text)
    return read?.kind === 'entry' ? read.entry : undefined
  }

  get stored(): string | undefined {
    return this.entry?.session?.refreshToken.reveal()
  }

  get pending(): readonly string[] {
    return (this.entry?.revocations ?? []).map(({ refreshToken }) => refreshToken.reveal())
  }

  expectNoSecret(value: unknown): void {
    const { clientSecret } = this.provider.settings
    const typed = [CREDENTIALS.password.reveal(), NEW_PASSWORD.reveal(), clientSecret]
    const basic = typed.map((each) => `${CREDENTIALS.username}:${each}`)
    expectWithout(value, [...typed, ...basic, ...this.service.issuedSecrets(), ...this.provider.issuedSecrets()])
  }

  async stop(): Promise<void> {
    this.hold = () => undefined
    this.heals()
    await this.session.stop()
    for (const oddServer of this.#oddServers) oddServer.stop()
    await Promise.all([this.service.stop(), this.provider.stop()])
  }

  #issuers(): Issuers {
    const { baseAddress, authAddress } = this.connectivity
    const { domain: providerDomain, clientSecret, realm, audience, clientId } = this.provider.settings
    const options = {
      authAddress,
      providerDomain,
      realm,
      audience,
      clientId,
      scope: 'openid offline_access',
      clientSecret: new Secret('client secret', clientSecret),
      http: this.#client('authAddress'),
    }
    return {
      service: this.#observed(createAuthService({ baseAddress, http: this.#client('baseAddress') }), {
        login: 'login',
        refresh: 'refresh',
        logout: 'logout',
        changePassword: 'changePassword',
      }),
      identityProvider: this.#observed(createIdentityProvider(options), { login: 'ssoLogin', refresh: 'ssoRefresh' }),
      secondFactor: {
        provider: this.#observed(createSecondFactor(options), {
          authenticators: 'factor',
          challenge: 'factor',
          verify: 'factor',
        }),
        usual: { is: () => false, set: () => {} },
        clock: this.clock,
      },
      browser: {
        server: this.#observed(new BrowserAuthorizationServer(options), {
          authorize: 'browser',
          refresh: 'browserRefresh',
          revoke: 'browserLogout',
        }),
        ports: this.#browser(),
      },
    }
  }

  /** Requests go to the server that is now at `address`, whatever host they name. */
  #client(address: 'baseAddress' | 'authAddress'): HttpClient {
    return {
      send: ({ url, ...request }) => {
        const { deadlines = this.clock, ...connectivity } = this.connectivity
        const clock: Clock = {
          wall: () => this.clock.wall(),
          now: () => deadlines.now(),
          at: (deadline, action) => deadlines.at(deadline, action),
        }
        const client = createHttpClient({ userAgent: 'Latchkey/0.0.0', clock, ...connectivity })
        return client.send({ ...request, url: new URL(`${url.pathname}${url.search}`, this.connectivity[address]) })
      },
    }
  }

  #browser(): BrowserPorts {
    let comeBack = (_: URLSearchParams | undefined): void => {}
    const listen: BrowserPorts['listen'] = async () => {
      const received = new Promise<URLSearchParams | undefined>((resolve) => {
        comeBack = resolve
      })
      const close = () => comeBack(undefined)
      const redirectUri = 'http://127.0.0.1:4711/callback/127.0.0.1:5000'
      return { ok: true, value: { redirectUri, received, show: () => {}, close } }
    }
    const open: BrowserPorts['open'] = async (address) => {
      const ca = [...((await this.connectivity.trusted?.()) ?? [])]
      const body = new URLSearchParams({ username: ANA.username, password: ANA.password })
      const { headers } = await new Promise<IncomingMessage>((resolve, reject) => {
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        request(address, { method: 'POST', ca, headers: form }, resolve).on('error', reject).end(`${body}`)
      })
      comeBack(new URL(headers.location ?? '').searchParams)
      return OK
    }
    return { listen, open, onReturn: () => {}, clock: this.clock }
  }

  /** The same object, but its calls can be held back, and their failures are recorded. */
  #observed<T extends object>(real: T, calls: { readonly [M in keyof T]?: Call }): T {
    return new Proxy(real, {
      get: (_, name) => {
        const value: unknown = Reflect.get(real, name)
        const call = calls[name as keyof T]
        if (call === undefined) return value
        return (...args: unknown[]) => this.#call(call, () => Reflect.apply(value as () => Promise<Answer>, real, args))
      },
    })
  }

  async #call(call: Call, ask: () => Promise<Answer>): Promise<Answer> {
    await this.hold(call)
    this.#busy += 1
    const answer = await ask().finally(() => {
      this.#busy -= 1
    })
    if (answer.failure !== undefined) this.failures.push({ call, failure: answer.failure })
    // What `authorize` returns redeems the code later.
    if (answer.value === undefined || !('redeem' in answer.value)) return answer
    return { ...answer, value: this.#observed(answer.value, { redeem: 'browser' }) }
  }
}
