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
    const client = () => {
      const { deadlines = this.clock, ...connectivity } = this.connectivity
      const clock: Clock = {
        wall: () => this.clock.wall(),
        now: () => deadlines.now(),
        at: (deadline, action) => deadlines.at(deadline, action),
      }
      return createHttpClient({ userAgent: 'Latchkey/0.0.0', clock, ...connectivity })
    }
    /** Requests for the provider go to `authAddress`, whatever host they name. */
    const http: HttpClient = {
      send: ({ url, ...request }) =>
        client().send({ ...request, url: new URL(`${url.pathname}${url.search}`, this.connectivity.authAddress) }),
    }
    const options = { ...this.#options.provider, authAddress: this.connectivity.authAddress, http }
    const service = () => createAuthService({ baseAddress: this.connectivity.baseAddress, http: client() })
    const provider = createIdentityProvider(options)
    const factors = createSecondFactor(options)
    const server = new BrowserAuthorizationServer(options)
    return {
      service: {
        issuer: this.connectivity.baseAddress,
        login: (credentials) => this.#call('login', () => service().login(credentials)),
        refresh: (token) => this.#call('refresh', () => service().refresh(token)),
        logout: (access, token) => this.#call('logout', () => service().logout(access, token)),
        changePassword: (access, password) =>
          this.#call('changePassword', () => service().changePassword(access, password)),
      },
      identityProvider: {
        issuer: provider.issuer,
        login: (credentials) => this.#call('ssoLogin', () => provider.login(credentials)),
        refresh: (token) => this.#call('ssoRefresh', () => provider.refresh(token)),
      },
      secondFactor: {
        provider: {
          authenticators: (token) => this.#call('factor', () => factors.authenticators(token)),
          challenge: (token, authenticator) => this.#call('factor', () => factors.challenge(token, authenticator)),
          verify: (token, proof) =>
            this.#call(
              'factor',
              () => factors.verify(token, proof),
              (answer) => (answer.kind === 'failure' ? answer.failure : undefined),
            ),
        },
        usual: { is: () => false, set: () => {} },
        clock: this.clock,
      },
      browser: {
        server: {
          issuer: server.issuer,
          client: server.client,
          authorize: async (redirectUri) => {
            const begun = await this.#call('browser', () => server.authorize(redirectUri))
            if (!begun.ok) return begun
            const { redeem, ...rest } = begun.value
            return { ok: true, value: { ...rest, redeem: (each) => this.#call('browser', () => redeem(each)) } }
          },
          refresh: (token) => this.#call('browserRefresh', () => server.refresh(token)),
          revoke: (token) => this.#call('browserLogout', () => server.revoke(token)),
        },
        ports: this.#browser(),
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

  async #call<Answer extends Outcome<unknown> | { readonly kind: string }>(
    call: Call,
    ask: () => Promise<Answer>,
    failureOf = (answer: Answer) => ('ok' in answer && !answer.ok ? answer.failure : undefined),
  ): Promise<Answer> {
    await this.hold(call)
    this.#busy += 1
    const answer = await ask().finally(() => {
      this.#busy -= 1
    })
    const failure = failureOf(answer)
    if (failure !== undefined) this.failures.push({ call, failure })
    return answer
  }
}
