import { type Failure, NO_METADATA, NO_REVOCATION, type Outcome } from '../../contract/failures.ts'
import { type FormerGrant, type Grants, isCapable, type Origin } from './grants/grant.ts'
import type { JournalWorker } from './journal-worker.ts'
import type { Clock, Random } from './ports.ts'
import type { PublishedState } from './published-state.ts'
import { Retry } from './retry.ts'
import { CAP_WHEN_OUT, isFinal, mayBeRefusal, waitOf } from './schedule.ts'
import type { AccessToken } from './secret.ts'
import type { PendingRevocation, SessionRecord } from './session-record.ts'
import { receive, type TokenPair } from './token-pair.ts'

/** After this many refusals, Latchkey stops trying to revoke a token. */
const MOST_REFUSALS = 3

/** The shortest delay after a refusal. The attempts together outlast a short failure of a gateway. */
const REFUSED_DELAY_MS = 10_000

/**
 * After this many attempts without metadata, the issuer counts as one that has no revocation endpoint. A deployment of
 * the issuer may make its metadata unavailable. The attempts, with their delays, usually take longer than that.
 */
const MOST_WITHOUT_METADATA = 12

interface RevokerPorts {
  readonly grants: Grants
  readonly formerGrant?: FormerGrant | undefined
  readonly clock: Clock
  readonly random: Random
  readonly record: SessionRecord
  readonly journal: Pick<JournalWorker, 'sync' | 'idle' | 'isUnknown' | 'isMarked'>
  readonly state: PublishedState
}

/**
 * Revokes tokens at their issuers. Retries until every token has been revoked, or its revocation has failed for good.
 */
export class Revoker {
  readonly #ports: RevokerPorts
  readonly #retry: Retry
  #running: Promise<void> | undefined
  /** True if the service has refused a revocation since the list was last empty. */
  #isRefused = false
  #isStopped = false
  /** The revocation under way. */
  #sent: { readonly issuer: string; readonly answer: Promise<Outcome> } | undefined

  constructor(ports: RevokerPorts) {
    const { clock, random } = ports
    this.#ports = ports
    this.#retry = new Retry({ clock, random, capMs: CAP_WHEN_OUT, attempt: () => void this.run() })
  }

  /** SECURITY: a token is sent for revocation only to its issuer. */
  canRevoke(origin: Origin): boolean {
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
    const access = accessToken === undefined || expiresAt === undefined ? {} : { accessToken, expiresAt }
    record.revoke({ grant, issuer, client, refreshToken, ...access, ...(pendingRefresh && { pendingRefresh }) })
    return 'pending'
  }

  /**
   * Revokes a token that never belonged to the session. Resolves when the keychain has stored the pending revocation,
   * or has failed to store it.
   */
  async revoke(request: PendingRevocation): Promise<void> {
    const { journal, state } = this.#ports
    const revocation = this.add(request)
    if (revocation !== 'none') state.dispatch({ type: 'revocationChanged', revocation })
    await journal.sync()
    void this.run()
  }

  /** Processes the list, one run at a time; failures are retried later. */
  run(): Promise<void> {
    this.#running ??= Promise.resolve().then(() => this.#work())
    return this.#running
  }

  /**
   * The pending answer to a revocation at this issuer. A sign-in waits for this answer, because a service that reuses
   * refresh tokens could issue the very token that is being revoked. For the same reason, no revocation is sent during
   * a sign-in.
   */
  answerFrom(issuer: string): Promise<unknown> | undefined {
    return this.#sent?.issuer === issuer ? this.#sent.answer : undefined
  }

  /** Retries immediately, unless the service asked to wait. */
  wake(): void {
    this.#retry.wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#retry.cancel()
    await this.#running
  }

  /** If no token is left to revoke, announces the result: `done`, or `refused` if the service refused a revocation. */
  tell(): void {
    const { record, journal, state } = this.#ports
    if (record.revocations.length > 0 || journal.isUnknown) return
    state.dispatch({ type: 'revocationChanged', revocation: this.#isRefused ? 'refused' : 'done' })
  }

  get #possible(): readonly PendingRevocation[] {
    if (this.#mayRestore) return []
    return this.#ports.record.revocations.filter((each) => this.canRevoke(each))
  }

  /**
   * True if a session from the keychain may still be restored. If so, no token is revoked: a cancelled sign-in may
   * have received the same token as that session, and revoking this token would end the session.
   */
  get #mayRestore(): boolean {
    const { record, journal } = this.#ports
    return !record.isDecided && journal.isUnknown && journal.isMarked
  }

  #revokingGrant(origin: Origin) {
    const { grants, formerGrant } = this.#ports
    const current = grants.get(origin.grant)
    const isCurrent =
      current?.issuer === origin.issuer && (origin.client === undefined || current.client === origin.client)
    const grant = isCurrent ? current : formerGrant?.(origin)
    // The grant must also be able to refresh, because a revocation may need a fresh access token.
    return isCapable(grant, 'revoke', 'refresh') && grant.issuer === origin.issuer ? grant : undefined
  }

  async #work(): Promise<void> {
    this.#retry.begin()
    // The list changes during the loop: finished revocations leave it, and a sign-out adds one.
    const tried = new Set<PendingRevocation>()
    const untried = () => this.#possible.find((each) => !tried.has(each))
    try {
      for (let next = untried(); next !== undefined && !this.#isStopped; next = untried()) {
        tried.add(next)
        await this.#revoke(next, tried)
      }
    } finally {
      // Cleared synchronously at the end of the loop, so that any later addition starts a new run.
      this.#running = undefined
    }
    if (this.#possible.length === 0) this.#retry.succeeded()
    else if (!this.#isStopped) this.#retry.failed()
  }

  /** Tries to revoke one token. If this fails, postpones the revocation or gives it up. */
  async #revoke(item: PendingRevocation, tried: Set<PendingRevocation>): Promise<void> {
    const { grants, clock, record, journal, state } = this.#ports
    const grant = this.#revokingGrant(item)
    if (grant === undefined) return
    const isCurrent = grants.get(item.grant) === grant
    const { issuer, client } = item
    let current = item
    const revoke = async (accessToken: AccessToken): Promise<Outcome> => {
      const answer = grant.revoke(accessToken, current.refreshToken)
      this.#sent = { issuer, answer }
      try {
        return await answer
      } finally {
        this.#sent = undefined
      }
    }
    /**
     * True if the token must not be revoked now: a sign-in is under way and may receive the same token, or the token
     * has left the list.
     */
    const isOff = () => state.now.kind === 'signingIn' || !record.revocations.includes(current)
    const replace = (next: PendingRevocation): Promise<void> => {
      tried.add(next)
      record.advance(current, next)
      current = next
      return journal.sync()
    }
    const advance = async (tokens: TokenPair): Promise<void> => {
      if (!record.revocations.includes(current)) return
      const { accessToken, refreshToken = current.refreshToken, expiresAt } = receive(tokens, clock)
      const { refusals = 0, withoutMetadata = 0 } = current
      const counts = { refusals, withoutMetadata }
      await replace({ grant: item.grant, issuer, client, accessToken, refreshToken, expiresAt, ...counts })
    }
    const finish = (): Promise<void> => {
      record.advance(current, undefined)
      this.tell()
      return journal.sync()
    }
    const giveUp = (): Promise<void> => {
      record.advance(current, undefined)
      state.dispatch({ type: 'revocationChanged', revocation: 'notPossible' })
      return journal.sync()
    }
    const later = (failure: Failure, delay: number): void => {
      this.#retry.obey(clock.now() + delay)
      state.dispatch({ type: 'revocationPostponed', failure, issuer: grant.description.issuer })
    }
    /** `isDead`: the issuer no longer knows the token. */
    const refused = async (failure: Failure, isDead = false): Promise<void> => {
      const refusals = (current.refusals ?? 0) + 1
      later(failure, REFUSED_DELAY_MS)
      if (refusals < MOST_REFUSALS) return replace({ ...current, refusals })
      if (!isDead) this.#isRefused = true
      return finish()
    }
    const postpone = async (failure: Failure, isRefresh = false): Promise<void> => {
      // The settings no longer contain this grant, so the user can't correct its values, and any retry would fail too.
      if (failure.code === 'notConfigured' && !isCurrent) return giveUp()
      if (failure.details?.cause === NO_METADATA) {
        const withoutMetadata = (current.withoutMetadata ?? 0) + 1
        if (withoutMetadata >= MOST_WITHOUT_METADATA) return giveUp()
        await replace({ ...current, withoutMetadata })
      }
      if (isFinal(failure)) return refused(failure, isRefresh && mayBeRefusal(failure))
      later(failure, waitOf(failure.retryAfter))
    }

    // Before a token is sent, it is stored in the keychain, unless the keychain refuses it.
    await journal.sync()
    const refreshedAtSignOut = await current.pendingRefresh
    if (refreshedAtSignOut !== undefined) await advance(refreshedAtSignOut)
    if (isOff()) return
    const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = current
    if (accessToken !== undefined && clock.now() < expiresAt) {
      const answer = await revoke(accessToken)
      if (answer.ok) return finish()
      if (answer.failure.details?.cause === NO_REVOCATION) return giveUp()
      if (answer.failure.code !== 'sessionEnded') return postpone(answer.failure)
      // The refusal may concern the access token, so retry with a fresh one.
    }
    if (isOff()) return
    const refreshed = await grant.refresh(current.refreshToken)
    if (!refreshed.ok) return refreshed.failure.code === 'sessionEnded' ? finish() : postpone(refreshed.failure, true)
    await advance(refreshed.value)
    if (isOff()) return
    const answer = await revoke(refreshed.value.accessToken)
    if (answer.ok) return finish()
    if (answer.failure.details?.cause === NO_REVOCATION) return giveUp()
    // A refusal doesn't count if the access token expired on the way to the service.
    const isRefused = answer.failure.code === 'sessionEnded' && clock.now() < (current.expiresAt ?? 0)
    // The refresh has just shown that the refresh token is valid. An access token without an expiry may have expired
    // unnoticed, but after several refusals further attempts are pointless.
    return isRefused ? refused(answer.failure) : postpone(answer.failure)
  }
}
