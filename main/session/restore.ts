import { assertNever } from '../../contract/assert-never.ts'
import { type Failure, OTHER_CLIENT, OTHER_ISSUER } from '../../contract/failures.ts'
import type { Revocation } from '../../contract/views.ts'
import { Subscription } from '../base/listeners.ts'
import type { EntryContent, StoredSession } from './entry.ts'
import { sessionEnded } from './grants/grant.ts'
import type { ReadDecision } from './keychain-plan.ts'
import type { KeychainSync } from './keychain-sync.ts'
import type { SessionParts } from './parts.ts'
import type { Refresher } from './refresher.ts'
import type { Revoker } from './revoker.ts'
import { resumedSession } from './session-record.ts'

/** If no marker shows that a session is stored, the user can sign in after this time, even if the keychain hangs. */
const TIMEOUT_WITHOUT_MARKER_MS = 1_000

interface RestorePorts extends SessionParts {
  readonly keychainSync: Pick<KeychainSync, 'start' | 'kept' | 'isMarked'>
  readonly revoker: Pick<Revoker, 'add' | 'run' | 'tell'>
  readonly refresher: Pick<Refresher, 'refresh'>
  readonly isRemoved?: boolean
}

/** Acts on the content of the keychain's entry, even if the keychain responds late. */
export class Restore {
  readonly #ports: RestorePorts
  readonly #timeout = new Subscription()

  constructor(ports: RestorePorts) {
    this.#ports = ports
  }

  async start(): Promise<void> {
    const { clock, keychainSync, state } = this.#ports
    if (!keychainSync.isMarked) {
      this.#timeout.begin(() =>
        clock.at(clock.now() + TIMEOUT_WITHOUT_MARKER_MS, () =>
          state.dispatch({ type: 'nothingStored', revocation: 'none' }),
        ),
      )
    }
    await keychainSync.start({
      found: (decision, entry) => this.#found(decision, entry),
      failed: () => this.#tellKept(),
      synced: () => {
        this.#tellKept()
        this.#ports.revoker.tell()
      },
    })
  }

  #found(decision: ReadDecision, { session, revocations }: EntryContent): void {
    const { record, revoker, state } = this.#ports
    this.#timeout.end()
    // Later reads may find tokens to revoke, but never restore a session.
    const isUndecided = !record.isDecided
    for (const each of revocations) record.revoke(each)
    switch (decision) {
      case 'resume':
        if (session !== undefined) this.#resume(session)
        break
      case 'revoke':
      case 'signedOut':
        record.decide()
        this.#nothingStored(isUndecided, session && revoker.add(session))
        break
      case 'signedOutReadAgain':
        record.decide()
        if (isUndecided) state.dispatch({ type: 'nothingStored', revocation: 'pending' })
        break
      case 'locked':
      case 'unavailable':
      case 'missing':
        state.dispatch({ type: 'sessionUnread', why: decision })
        break
      case 'keep':
        this.#nothingStored(isUndecided)
        break
      case 'unknownVersion':
        if (isUndecided) state.dispatch({ type: 'unknownVersionFound' })
        break
      default:
        assertNever(decision)
    }
    void revoker.run()
  }

  #tellKept(): void {
    const { keychainSync, state } = this.#ports
    state.dispatch({ type: 'keptChanged', kept: keychainSync.kept })
  }

  #resume(session: StoredSession): void {
    const { grants, record, isRemoved, refresher, state, tasks } = this.#ports
    const grant = grants.get(session.grant)
    // SECURITY: a refresh token goes only to its issuer, even if a script in the window has changed the settings.
    const isOther = grant?.issuer !== session.issuer
    // The issuer would refuse another client's refresh token, so the session is set aside. The next sign-in or sign-out
    // revokes its token.
    const isOfOtherClient = session.client !== undefined && session.client !== grant?.client
    if (isRemoved === true || grant === undefined || isOther || isOfOtherClient) {
      record.setAside(session)
      if (isRemoved === true) this.#nothingStored(true)
      else {
        const cause = isOther ? OTHER_ISSUER : OTHER_CLIENT
        const failure: Failure = grant === undefined ? { code: 'notConfigured' } : sessionEnded(cause)
        state.dispatch({ type: 'signedOut', revocation: this.#pendingRevocation, failure })
      }
      return
    }
    state.dispatch({ type: 'sessionFound', issuer: grant.description.issuer })
    record.update(resumedSession(session, grant))
    void tasks.add(refresher.refresh())
  }

  get #pendingRevocation(): 'pending' | 'none' {
    return this.#ports.record.revocations.length > 0 ? 'pending' : 'none'
  }

  #nothingStored(isUndecided: boolean, found?: Revocation): void {
    const { state } = this.#ports
    const revocation = found ?? this.#pendingRevocation
    if (isUndecided) state.dispatch({ type: 'nothingStored', revocation })
    // If the keychain responded late, the state may already be `signedOut`, and `nothingStored` then has no effect.
    if (revocation !== 'none') state.dispatch({ type: 'revocationChanged', revocation })
  }
}
