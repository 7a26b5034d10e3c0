import type { Outcome } from '../../contract/failures.ts'
import { Retry } from '../base/retry.ts'
import type { AccessToken } from '../base/secret.ts'
import { type ReceivedTokens, receive } from './access-token.ts'
import { type Capable, type FindRemovedGrant, type Grant, isCapable, type TokenOrigin } from './grants/grant.ts'
import type { KeychainSync } from './keychain-sync.ts'
import type { SessionParts } from './parts.ts'
import type { TokenPair } from './ports.ts'
import { nextRevocationStep, type RevocationAttempt, type SettledRevocation } from './revocation-step.ts'
import { LONGEST_DELAY_WITHOUT_TOKEN } from './schedule.ts'
import type { PendingRevocation, Session } from './session-record.ts'

interface RevokerPorts extends SessionParts {
  readonly removedGrant?: FindRemovedGrant | undefined
  readonly keychainSync: Pick<KeychainSync, 'sync' | 'idle' | 'isUnknown' | 'isMarked'>
}

/** Revokes tokens at their issuers, until each is revoked or has failed for good. */
export class Revoker {
  readonly #ports: RevokerPorts
  readonly #retry: Retry
  #running: Promise<void> | undefined
  /** Whether the service has refused a revocation since the list was last empty. */
  #isRefused = false
  #sent: { readonly issuer: string; readonly response: Promise<Outcome> } | undefined

  constructor(ports: RevokerPorts) {
    const { clock, random, signal } = ports
    this.#ports = ports
    this.#retry = new Retry({
      clock,
      random,
      signal,
      capMs: LONGEST_DELAY_WITHOUT_TOKEN,
      attempt: () => void this.run(),
    })
  }

  /** SECURITY: a token to revoke goes only to its issuer. */
  canRevoke(origin: TokenOrigin): boolean {
    return this.#revokingGrant(origin) !== undefined
  }

  /** Adds a token, unless the session uses it. Sends nothing yet. */
  add(request: PendingRevocation): 'none' | 'pending' | 'notPossible' {
    const { record } = this.#ports
    const { grant, issuer, client, refreshToken, accessToken, expiresAt, pendingRefresh } = request
    // A service may issue the same token again, which must then stay valid.
    if (record.session?.refreshToken?.equals(refreshToken)) return 'none'
    if (!this.canRevoke(request)) return 'notPossible'
    if (record.revocations.length === 0) this.#isRefused = false
    record.revoke({ grant, issuer, client, refreshToken, accessToken, expiresAt, pendingRefresh })
    return 'pending'
  }

  /** Returns false if the issuer can't revoke tokens. Sends nothing yet. */
  addSession(session: Session, pendingRefresh?: PendingRevocation['pendingRefresh']): boolean {
    const { account, refreshToken, ...rest } = session
    const revocation = { grant: account.grant.name, ...rest, pendingRefresh }
    if (refreshToken === undefined) return this.canRevoke(revocation)
    return this.add({ ...revocation, refreshToken }) !== 'notPossible'
  }

  /** Revokes tokens that were never the session's. Resolves once the revocation is stored, or that has failed. */
  async revoke(grant: Grant, { refreshToken, accessToken, expiresAt }: ReceivedTokens): Promise<void> {
    if (refreshToken === undefined) return
    const { keychainSync, state } = this.#ports
    const { description, issuer, client } = grant
    const revocation = this.add({ grant: description.name, issuer, client, refreshToken, accessToken, expiresAt })
    if (revocation !== 'none') state.dispatch({ type: 'revocationChanged', revocation })
    await keychainSync.sync()
    void this.run()
  }

  run(): Promise<void> {
    this.#running ??= Promise.resolve().then(() => this.#work())
    return this.#running
  }

  /**
   * The pending response to a revocation at this issuer. A sign-in waits for this response, and no revocation is sent
   * during a sign-in, because a service may issue the very token that is being revoked.
   */
  responseFrom(issuer: string): Promise<unknown> | undefined {
    return this.#sent?.issuer === issuer ? this.#sent.response : undefined
  }

  wake(): void {
    this.#retry.wake()
  }

  async idle(): Promise<void> {
    await this.#running
  }

  /** Once no token is left to revoke, publishes the result: `done`, or `refused` if the service refused one. */
  tell(): void {
    const { record, keychainSync, state } = this.#ports
    if (record.revocations.length > 0 || keychainSync.isUnknown) return
    state.dispatch({ type: 'revocationChanged', revocation: this.#isRefused ? 'refused' : 'done' })
  }

  get #possible(): readonly PendingRevocation[] {
    if (this.#mayRestore) return []
    return this.#ports.record.revocations.filter((each) => this.canRevoke(each))
  }

  /**
   * True while the stored session may still be restored. Until that is decided, nothing is revoked: the token to revoke
   * may come from a cancelled sign-in, and the stored session may have the same token.
   */
  get #mayRestore(): boolean {
    const { record, keychainSync } = this.#ports
    return !record.isDecided && keychainSync.isUnknown && keychainSync.isMarked
  }

  #revokingGrant(origin: TokenOrigin) {
    const { grants, removedGrant } = this.#ports
    const current = grants.get(origin.grant)
    const isCurrent =
      current?.issuer === origin.issuer && (origin.client === undefined || current.client === origin.client)
    const grant = isCurrent ? current : removedGrant?.(origin)
    // Revoking may need a fresh access token, so the grant must also be able to refresh.
    return isCapable(grant, 'revoke', 'refresh') && grant.issuer === origin.issuer ? grant : undefined
  }

  async #work(): Promise<void> {
    this.#retry.begin()
    // The list changes during the loop: finished revocations leave it, and a sign-out adds one.
    const tried = new Set<PendingRevocation>()
    const untried = () => this.#possible.find((each) => !tried.has(each))
    try {
      for (let next = untried(); next !== undefined && !this.#ports.signal.aborted; next = untried()) {
        tried.add(next)
        await this.#revoke(next, tried)
      }
    } finally {
      // No `await` may come between the loop's end and this line, or a revocation added then would start no run.
      this.#running = undefined
    }
    if (this.#possible.length === 0) this.#retry.succeeded()
    else this.#retry.failed()
  }

  async #revoke(item: PendingRevocation, tried: Set<PendingRevocation>): Promise<void> {
    const { grants, clock, keychainSync } = this.#ports
    const grant = this.#revokingGrant(item)
    if (grant === undefined) return
    const isCurrent = grants.get(item.grant) === grant
    // The token is stored before it is sent, unless the keychain refuses it.
    await keychainSync.sync()
    const refreshedAtSignOut = await item.pendingRefresh
    let current = item
    if (refreshedAtSignOut !== undefined) current = await this.#advance(current, refreshedAtSignOut, tried)
    let attempt: RevocationAttempt = { kind: 'begun' }
    for (;;) {
      const step = nextRevocationStep(current, attempt, { now: clock.now(), isCurrent })
      if (step.kind !== 'revoke' && step.kind !== 'refresh') return this.#settle(current, step, grant, tried)
      if (this.#isOff(current)) return
      if (step.kind === 'revoke') {
        const outcome = await this.#send(grant, step.accessToken, current)
        attempt = { kind: 'revoked', isFresh: attempt.kind === 'refreshed', outcome }
      } else {
        const outcome: Outcome<TokenPair> = await grant.refresh(current.refreshToken)
        if (outcome.ok) current = await this.#advance(current, outcome.value, tried)
        attempt = { kind: 'refreshed', outcome }
      }
    }
  }

  /** True while a sign-in may receive the same token, or if the revocation has left the list. */
  #isOff(current: PendingRevocation): boolean {
    const { record, state } = this.#ports
    return state.now.kind === 'signingIn' || !record.revocations.includes(current)
  }

  async #send(
    grant: Capable<'revoke'>,
    accessToken: AccessToken | undefined,
    current: PendingRevocation,
  ): Promise<Outcome> {
    const response = grant.revoke(accessToken, current.refreshToken)
    this.#sent = { issuer: current.issuer, response }
    try {
      return await response
    } finally {
      this.#sent = undefined
    }
  }

  async #settle(
    current: PendingRevocation,
    step: SettledRevocation,
    grant: Capable<'revoke'>,
    tried: Set<PendingRevocation>,
  ): Promise<void> {
    const { record, keychainSync, state, clock } = this.#ports
    if (step.failure !== undefined) {
      this.#retry.obey(clock.now() + step.delayMs)
      state.dispatch({ type: 'revocationPostponed', failure: step.failure, issuer: grant.description.issuer })
    }
    if (step.kind === 'later') {
      const { refusals } = step
      if (refusals !== undefined) await this.#replace(current, { ...current, refusals }, tried)
      return
    }
    record.advance(current, undefined)
    if (step.kind === 'giveUp') state.dispatch({ type: 'revocationChanged', revocation: 'notPossible' })
    else {
      if (step.isRefused) this.#isRefused = true
      this.tell()
    }
    await keychainSync.sync()
  }

  /** Stores the new tokens of a revocation, and returns it with them. Does nothing if it has left the list. */
  async #advance(current: PendingRevocation, tokens: TokenPair, tried: Set<PendingRevocation>) {
    const { record, clock } = this.#ports
    if (!record.revocations.includes(current)) return current
    const { grant, issuer, client, refusals = 0 } = current
    const { accessToken, refreshToken = current.refreshToken, expiresAt } = receive(tokens, clock)
    const next = { grant, issuer, client, accessToken, refreshToken, expiresAt, refusals }
    return this.#replace(current, next, tried)
  }

  async #replace(current: PendingRevocation, next: PendingRevocation, tried: Set<PendingRevocation>) {
    tried.add(next)
    this.#ports.record.advance(current, next)
    await this.#ports.keychainSync.sync()
    return next
  }
}
