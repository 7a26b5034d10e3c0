import type { Failure, Outcome } from '../../../contract/failures.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { createHttpClient, type HttpOptions } from '../../../main/service/http-client.ts'
import { createIdentityProvider, type IdentityProviderOptions } from '../../../main/service/identity-provider.ts'
import type { TimeSource } from '../../../main/session/clock.ts'
import { DeadlineClock } from '../../../main/session/clock.ts'
import { createGrants, type Issuers } from '../../../main/session/grants/registry.ts'
import type { Clock, SecretStore, StoredMarker } from '../../../main/session/ports.ts'
import { SessionEngine } from '../../../main/session/session-engine.ts'
import type { SessionState } from '../../../main/session/state.ts'

/** The route from a copy of the app to its service. */
export interface Way extends Partial<Pick<HttpOptions, 'connectTimeout' | 'requestTimeout' | 'routeFor' | 'trusted'>> {
  /** The clock of requests' deadlines; by default the copy's. */
  readonly deadlines?: Pick<Clock, 'now' | 'at'>
  readonly baseAddress: string
  readonly authAddress: string
}

interface CopyOptions {
  /** The addresses, which name the keychain entry. */
  readonly address: string
  readonly installation: string
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly time: TimeSource
  readonly provider: Omit<IdentityProviderOptions, 'authAddress' | 'http'>
  readonly way: Way
}

export type Call = 'login' | 'refresh' | 'logout' | 'changePassword' | 'ssoLogin' | 'ssoRefresh'

/** A running copy of the app: the real engine on the real service client, over a route that can change. */
export class Copy {
  readonly clock: DeadlineClock
  readonly session: SessionEngine
  /** The published states, oldest first. */
  readonly states: SessionState[] = []
  /** The service client's failures, oldest first. */
  readonly failures: { readonly call: Call; readonly failure: Failure }[] = []
  /** The refresh tokens passed to logout, oldest first. */
  readonly loggedOut: string[] = []
  way: Way
  /** Holds back a call, or its answer, until the promise settles. */
  hold: (at: 'sending' | 'answered', call: Call) => Promise<unknown> | undefined = () => undefined
  readonly #options: CopyOptions
  #release = (): void => {}
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve
  })
  #busy = 0

  constructor(options: CopyOptions) {
    const { address, installation, store, marker, time, way } = options
    this.#options = options
    this.way = way
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

  /** True while a call is under way that isn't held back. */
  get isBusy(): boolean {
    return this.#busy > 0
  }

  #issuers(): Issuers {
    const http = () => {
      const { deadlines = this.clock, ...way } = this.way
      const clock: Clock = {
        wall: () => this.clock.wall(),
        now: () => deadlines.now(),
        at: (deadline, action) => deadlines.at(deadline, action),
      }
      return createHttpClient({ userAgent: 'Latchkey/0.0.0', clock, ...way })
    }
    const service = () => createAuthService({ baseAddress: this.way.baseAddress, http: http() })
    const provider = () =>
      createIdentityProvider({ ...this.#options.provider, authAddress: this.way.authAddress, http: http() })
    return {
      service: {
        issuer: this.way.baseAddress,
        login: (credentials) => this.#call('login', () => service().login(credentials)),
        refresh: (token) => this.#call('refresh', () => service().refresh(token)),
        logout: (access, token) => {
          this.loggedOut.push(token.reveal())
          return this.#call('logout', () => service().logout(access, token))
        },
        changePassword: (access, password) =>
          this.#call('changePassword', () => service().changePassword(access, password)),
      },
      identityProvider: {
        issuer: this.way.authAddress,
        login: (credentials) => this.#call('ssoLogin', () => provider().login(credentials)),
        refresh: (token) => this.#call('ssoRefresh', () => provider().refresh(token)),
      },
    }
  }

  /** Releases everything. */
  letGo(): void {
    this.hold = () => undefined
    this.#release()
  }

  async #call<T>(call: Call, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    await this.#held('sending', call)
    this.#busy += 1
    const outcome = await ask().finally(() => {
      this.#busy -= 1
    })
    await this.#held('answered', call)
    if (!outcome.ok) this.failures.push({ call, failure: outcome.failure })
    return outcome
  }

  async #held(at: 'sending' | 'answered', call: Call): Promise<void> {
    await Promise.race([this.hold(at, call), this.#released])
  }
}
