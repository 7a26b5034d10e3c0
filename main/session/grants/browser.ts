import { fail, type Outcome } from '../../../contract/failures.ts'
import { GRANTS } from '../../../contract/grants.ts'
import type { Clock } from '../../base/clock.ts'
import type { AuthorizationRequest, AuthorizationServer, CallbackListener, SignInResult, TokenPair } from '../ports.ts'
import { type Challenge, failed, type Grant, type GrantStep, SUPERSEDED, stepOf } from './grant.ts'

export interface BrowserPorts {
  readonly listen: (isOurs: (parameters: URLSearchParams) => boolean) => Promise<Outcome<CallbackListener>>
  readonly open: (address: URL) => Promise<Outcome>
  readonly onReturn: () => void
  /**
   * `get` returns whether the user's consent brings a refresh token at this provider, or `undefined` before the first
   * try. The port is absent if no refresh token is wanted, or if the settings have the parameter `prompt`.
   */
  readonly consent?: { get(): boolean | undefined; set(helps: boolean): void } | undefined
  readonly clock: Clock
}

/** How long the user may take on the provider's page. */
const TIMEOUT_MS = 5 * 60_000

export const browserGrant = (server: AuthorizationServer, ports: BrowserPorts): Grant => ({
  description: GRANTS.browser,
  issuer: server.issuer,
  client: server.client,
  begin: (_, signal) => new BrowserSignIn(server, ports, signal).begin(),
  refresh: (refreshToken) => server.refresh(refreshToken),
  // Revoking needs no access token, because the refresh token is proof enough (RFC 7009 section 2.1).
  revoke: (_, refreshToken) => server.revoke(refreshToken),
})

/**
 * One sign-in. Some providers give a refresh token only after asking the user for consent (OpenID Connect Core section
 * 11). At other providers, only an administrator may consent. So if a sign-in brings no refresh token, Latchkey opens
 * the provider's page again and has it ask for consent. Latchkey remembers whether that brought a refresh token.
 */
class BrowserSignIn {
  readonly #server: AuthorizationServer
  readonly #ports: BrowserPorts
  readonly #signal: AbortSignal | undefined
  /** The tokens that came before the question for consent. They are used if the user doesn't consent. */
  #first: TokenPair | undefined
  #asksConsent: boolean

  constructor(server: AuthorizationServer, ports: BrowserPorts, signal?: AbortSignal) {
    this.#server = server
    this.#ports = ports
    this.#signal = signal
    this.#asksConsent = ports.consent?.get() === true
  }

  async begin(): Promise<GrantStep> {
    const { listen, open } = this.#ports
    const signal = this.#signal
    let isOurs = (_: URLSearchParams): boolean => false
    const listening = await listen((parameters) => isOurs(parameters))
    if (!listening.ok) return failed(listening.failure)
    const listener = listening.value
    if (signal?.aborted) {
      listener.close()
      return failed(SUPERSEDED.failure)
    }
    // Closes the listener at once, because the next sign-in may need the same port.
    signal?.addEventListener('abort', () => listener.close(), { once: true })
    // `isOurs` accepts no callback yet, so `received` resolves only if the listener is closed.
    const closed = listener.received.then(() => SUPERSEDED)
    const authorization = await Promise.race([closed, this.#server.authorize(listener.redirectUri, this.#asksConsent)])
    if (signal?.aborted) return failed(SUPERSEDED.failure)
    if (!authorization.ok) {
      listener.close()
      return failed(authorization.failure)
    }
    isOurs = authorization.value.isOurs
    const challenge = this.#challenge(listener, authorization.value)
    const opened = await open(authorization.value.address)
    // If the page that asks for consent couldn't be opened, the window offers to open it.
    if (opened.ok || this.#first !== undefined) return { kind: 'challenge', challenge }
    challenge.cancel()
    return failed(opened.failure)
  }

  #challenge(listener: CallbackListener, authorization: AuthorizationRequest): Challenge {
    const { clock, open, onReturn } = this.#ports
    const { details } = authorization
    let isCancelled = false
    let expire = (): void => {}
    const expired = new Promise<void>((resolve) => {
      expire = resolve
    })
    const stopWaiting = clock.at(clock.now() + TIMEOUT_MS, () => {
      listener.close()
      expire()
    })
    void listener.received.then((callback) => {
      stopWaiting()
      if (callback !== undefined) onReturn()
    })
    return {
      description: { kind: 'browser', ...(this.#first !== undefined && { consent: true }) },
      expired,
      answer: async () => {
        const callback = await listener.received
        if (callback !== undefined) {
          const redeemed = await authorization.redeem(callback)
          listener.show(resultOf(redeemed))
          return this.#afterReturn(redeemed)
        }
        if (isCancelled) return failed(SUPERSEDED.failure)
        return this.#afterReturn(fail({ code: 'sessionEnded', problem: 'browserTimeout', ...(details && { details }) }))
      },
      reopen: () => open(authorization.address),
      cancel() {
        isCancelled = true
        listener.close()
      },
    }
  }

  async #afterReturn(redeemed: Outcome<TokenPair>): Promise<GrantStep> {
    const first = this.#first
    if (!redeemed.ok) return first === undefined ? failed(redeemed.failure) : { kind: 'tokens', tokens: first }
    const tokens = redeemed.value
    const { consent, clock } = this.#ports
    const isComplete = tokens.refreshToken !== undefined
    if (first !== undefined) consent?.set(isComplete)
    const asks = !isComplete && !this.#asksConsent && consent !== undefined && consent.get() !== false
    if (!asks) return stepOf(redeemed)
    this.#first = { ...tokens, receivedAt: clock.now() }
    this.#asksConsent = true
    const again = await this.begin()
    return again.kind === 'failure' ? { kind: 'tokens', tokens: this.#first } : again
  }
}

const resultOf = (redeemed: Outcome<TokenPair>): SignInResult => {
  if (redeemed.ok) return 'signedIn'
  return redeemed.failure.problem === 'consentDenied' ? 'declined' : 'failed'
}
