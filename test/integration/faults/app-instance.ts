import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type Failure, OK, type Outcome } from '../../../contract/failures.ts'
import { ANA } from '../../../demo/users.ts'
import { type Clock, DeadlineClock, type TimeSource } from '../../../main/base/clock.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { BrowserAuthorizationServer } from '../../../main/service/authorization-server.ts'
import { createHttpClient, type HttpClient, type HttpOptions } from '../../../main/service/http-client.ts'
import {
  createIdentityProvider,
  createSecondFactor,
  type IdentityProviderOptions,
} from '../../../main/service/identity-provider.ts'
import type { BrowserPorts } from '../../../main/session/grants/browser.ts'
import type { GrantInput } from '../../../main/session/grants/grant.ts'
import { createGrants, type Issuers } from '../../../main/session/grants/grants.ts'
import type { SecretStore, StoredMarker } from '../../../main/session/ports.ts'
import { SessionEngine } from '../../../main/session/session-engine.ts'
import type { SessionState } from '../../../main/session/state.ts'

/** How an instance of the app reaches its service. */
export interface Connectivity
  extends Partial<Pick<HttpOptions, 'connectTimeout' | 'requestTimeout' | 'routeFor' | 'trusted'>> {
  /** The clock for the deadlines of requests; by default the instance's own clock. */
  readonly deadlines?: Pick<Clock, 'now' | 'at'>
  readonly baseAddress: string
  readonly authAddress: string
}

interface InstanceOptions {
  /** The service's address, which is part of the keychain entry's name. */
  readonly address: string
  readonly installation: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly time: TimeSource
  readonly provider: Omit<IdentityProviderOptions, 'authAddress' | 'http'>
  readonly connectivity: Connectivity
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

/** An outcome, or a second factor's step. */
interface Answer {
  readonly failure?: Failure
  readonly value?: object
}

/** A running app: the real engine with the real service client, over a route that can change. */
export class AppInstance {
  readonly clock: DeadlineClock
  readonly session: SessionEngine
  readonly states: SessionState[] = []
  /** The service client's failures, the oldest first. */
  readonly failures: { readonly call: Call; readonly failure: Failure }[] = []
  connectivity: Connectivity
  /** Holds a call back until the returned promise settles. */
  hold: (call: Call) => Promise<unknown> | undefined = () => undefined
  readonly #options: InstanceOptions
  #busy = 0

  constructor(options: InstanceOptions) {
    const { address, installation, store, marker, time, connectivity } = options
    this.#options = options
    this.connectivity = connectivity
    this.clock = new DeadlineClock(time)
    this.session = new SessionEngine({
      address,
      installation,
      grants: createGrants(this.#issuers()),
      store,
      marker,
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

  /** True while a call is under way that the test doesn't hold back. */
  get isBusy(): boolean {
    return this.#busy > 0
  }

  #issuers(): Issuers {
    const { baseAddress, authAddress } = this.connectivity
    const options = { ...this.#options.provider, authAddress, http: this.#client('authAddress') }
    return {
      service: this.#observed(createAuthService({ baseAddress, http: this.#client('baseAddress') }), {
        ...{ login: 'login', refresh: 'refresh', logout: 'logout', changePassword: 'changePassword' },
      }),
      identityProvider: this.#observed(createIdentityProvider(options), { login: 'ssoLogin', refresh: 'ssoRefresh' }),
      secondFactor: {
        provider: this.#observed(createSecondFactor(options), {
          ...{ authenticators: 'factor', challenge: 'factor', verify: 'factor' },
        }),
        usual: { is: () => false, set: () => {} },
        clock: this.clock,
      },
      browser: {
        server: this.#observed(new BrowserAuthorizationServer(options), {
          ...{ authorize: 'browser', refresh: 'browserRefresh', revoke: 'browserLogout' },
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

  /** The browser of a person who signs in at once. */
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
