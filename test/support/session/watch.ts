import { inspect } from 'node:util'
import { entryText } from '../../../main/base/secret.ts'
import { readEntry } from '../../../main/session/entry.ts'
import { baseStateOf, isAwaitingKeychain, type SessionState } from '../../../main/session/state.ts'
import type { ModelDesktop } from './model-desktop.ts'
import { type Answer, type Family, SECRET_MARK, type ServiceRequest } from './model-service.ts'

/** What may happen in a random schedule. Which events are violations depends on it. */
export interface Circumstances {
  /** True if nothing in the schedule can end a session against the user's will. */
  readonly neverRefuses: boolean
  /** True if gateways may refuse requests in place of the service. A revocation then may not reach the service. */
  readonly hasLyingProxies: boolean
  /** True if the service may return another user's token, which ends the session. */
  readonly hasStrangers: boolean
  /** True if there is no keychain, so that all that is stored is lost when the program ends. */
  readonly isInMemory: boolean
}

/** Records violations. Looks only at the user's actions, tokens, keychain and states, never at the engine itself. */
export class Watch {
  readonly violations: string[] = []
  readonly #desktop: ModelDesktop
  readonly #circumstances: Circumstances
  /** The user's current session, which must not be lost. */
  #mine: Family | undefined
  #asked: ServiceRequest | undefined
  /** True while the sign-in waits for the end of a revocation. The next login then belongs to this sign-in. */
  #isAsking = false
  /** True after a password change, because the program itself may then log in with the new password. */
  #hasChangedPassword = false
  #delivered: Family | undefined
  /** The session that the last login began or continued, whether the user or the program logged in. */
  #landed: Family | undefined
  /** Refreshes that were pending at the last login. Their responses belong to the earlier session. */
  readonly #overtaken = new Set<ServiceRequest>()
  #isSignedOut = false
  /** The number of the user's latest sign-in or sign-out. The result of an earlier sign-in is ignored. */
  #turns = 0
  /** Sessions that the user signed out of, which must be revoked in the end. */
  readonly #toRevoke = new Set<Family>()
  /** Sessions that a new one replaced. They must be revoked, unless the program is killed before it stores the new one. */
  readonly #superseded = new Set<Family>()
  /** Logins under way when the user cancelled or signed out. The sessions that they bring must be revoked. */
  readonly #cancelled = new Set<ServiceRequest>()
  readonly #givenUp = new Set<ServiceRequest>()
  /** Sessions of cancelled logins, which aren't revoked while the keychain may have a session with the same token. */
  readonly #heldBack = new Set<Family>()
  /** Sessions that a sign-in replaced while the keychain couldn't be read. */
  readonly #replacedUnread = new Set<Family>()
  /** Sessions whose pending revocation may not be in the keychain, so that a kill loses it. */
  readonly #unkept = new Set<Family>()
  #signedOutAt = 0
  /** Pending requests of the user, with the number of the program that handles each. */
  readonly #waits = new Map<Promise<unknown>, number>()
  #lastKeychainFailure = -1
  #lastDiskFailure = -1
  #notBefore = Number.NEGATIVE_INFINITY
  #isActing = false
  /** True if the last published state was `active` with a refresh under way. */
  #wasRunning = false

  constructor(desktop: ModelDesktop, circumstances: Circumstances) {
    this.#desktop = desktop
    this.#circumstances = circumstances
    desktop.onState = (state) => this.#published(state)
    const { store, service, sso } = desktop
    store.observe((name, before, after, by) => {
      if ((name === desktop.entryName) !== desktop.uses(by)) {
        this.#violated('an entry was changed by another instance of the program')
      }
      if (name !== desktop.entryName || this.#mine === undefined || this.#circumstances.hasStrangers) return
      // A keychain that hangs can delete a signed-out session late, after a new sign-in returned the same token. The
      // window then says that the session isn't stored, and the engine stores it again.
      const base = baseStateOf(desktop.state)
      const isLate = !service.options.isOneTime && 'kept' in base && base.kept === 'unsaved'
      if (!isLate && this.#sessionIn(before) === this.#mine && this.#sessionIn(after) === undefined) {
        this.#violated('the entry of a session in use was deleted')
      }
    })
    for (const each of [service, sso]) each.observe((request) => this.#sent(request))
  }

  userActs(): void {
    this.#isActing = true
    this.#notBefore = Number.NEGATIVE_INFINITY
  }

  /** The user asks for a password change, which overrides `Retry-After` until the change is done. */
  userWaits(done: Promise<unknown>): void {
    const { program } = this.#desktop
    this.#waits.set(done, program.id)
    this.#hasChangedPassword = true
    this.#isAsking = false
    void done.then(() => this.#waits.delete(done))
  }

  signsIn(ask: () => Promise<{ readonly ok: boolean }>): void {
    this.#isSignedOut = false
    this.#turns += 1
    const turn = this.#turns
    const isReplacedUnread = isAwaitingKeychain(baseStateOf(this.#desktop.state))
    const stored = this.#stored
    if (isReplacedUnread && stored !== undefined) this.#replacedUnread.add(stored)
    const old = isReplacedUnread ? undefined : this.#mine
    const before = this.#logins()
    const done = ask()
    const asked = this.#logins().find((request) => !before.includes(request))
    const hasJoined = this.#asked !== undefined && before.includes(this.#asked)
    this.#asked = asked ?? this.#asked
    this.#isAsking = asked === undefined && !hasJoined && !this.#hasChangedPassword
    void done.then(({ ok }) => {
      if (!ok || turn !== this.#turns) return
      const isReplaced = old !== undefined && old !== this.#landed
      if (isReplaced && this.#desktop.service.families.includes(old)) this.#superseded.add(old)
      this.#mine = this.#delivered
      this.#notBefore = Number.NEGATIVE_INFINITY
    })
  }

  /** The earlier session continues. Tokens that the cancelled sign-in still returns must be revoked. */
  cancels(): void {
    this.#isAsking = false
    if (this.#asked === undefined || !this.#logins().includes(this.#asked)) return
    this.#cancelled.add(this.#asked)
    this.#givenUp.add(this.#asked)
  }

  signsOut(): void {
    const { service } = this.#desktop
    this.#isAsking = false
    this.#isSignedOut = true
    this.#turns += 1
    this.#signedOutAt = this.#desktop.time.trueTime
    const stored = this.#stored
    // If the current session isn't the stored one, one of the two is about to replace the other in the keychain.
    if (this.#mine !== stored) for (const each of [this.#mine, stored]) if (each !== undefined) this.#unkept.add(each)
    for (const request of this.#logins()) if (!request.isAbandoned()) this.#cancelled.add(request)
    for (const family of [stored, this.#mine]) {
      if (family === undefined || !service.families.includes(family)) continue
      if (!this.#replacedUnread.has(family)) this.#toRevoke.add(family)
    }
    this.#mine = undefined
  }

  answers(request: ServiceRequest, how: Answer): void {
    if (how === 'loseReply' || request.isAbandoned() || request.operation !== 'refresh' || !this.#isMine(request))
      return
    if (this.#overtaken.has(request)) return
    if (typeof how === 'string') this.#notBefore = Number.NEGATIVE_INFINITY
    else this.#notBefore = request.client.clock.now() + Math.min(how.retryAfter, 3600) * 1_000
  }

  loggedIn(request: ServiceRequest, wasAbandoned: boolean, family: Family): void {
    if (wasAbandoned) return
    const { service } = this.#desktop
    if (this.#cancelled.has(request)) {
      // If the service has issued the same token again, a later sign-in may be using it.
      const isInUse = family === this.#mine || (!this.#isSignedOut && this.#stored === family)
      if (service.families.includes(family) && !isInUse) {
        this.#toRevoke.add(family)
        const { store, state } = this.#desktop
        if (this.#givenUp.has(request)) this.#heldBack.add(family)
        if (store.mode !== 'ok' || isAwaitingKeychain(baseStateOf(state))) this.#unkept.add(family)
      }
      return
    }
    this.#landed = family
    for (const each of this.#pending) if (each.operation === 'refresh') this.#overtaken.add(each)
    if (this.#lastKeychainFailure >= this.#signedOutAt) for (const each of this.#toRevoke) this.#unkept.add(each)
    // The new session replaces the old one, whether the user or the program logged in.
    this.#mine = undefined
    // If the service has issued the same token again, its session is in use again, even after a sign-out.
    this.#toRevoke.delete(family)
    this.#superseded.delete(family)
    // But a logout that timed out or is from an earlier run may still reach the service and end the session.
    const isEnding = service.pending.some(
      ({ operation, sent, isAbandoned }) =>
        operation === 'logout' && service.familyOf(sent) === family && isAbandoned(),
    )
    this.#delivered = request === this.#asked && !isEnding ? family : undefined
  }

  proved(request: ServiceRequest, family: Family): void {
    this.#toRevoke.add(family)
    if (this.#desktop.store.mode !== 'ok') this.#unkept.add(family)
    if (!this.#desktop.service.families.includes(family)) this.#violated(`${request.sent} was proven elsewhere`)
  }

  keychainFailed(): void {
    this.#lastKeychainFailure = this.#desktop.time.trueTime
  }

  killed(): void {
    const { store, service, mark, entryName } = this.#desktop
    const text = store.entries.get(entryName) ?? ''
    for (const family of this.#toRevoke) {
      if (family.isDead || text.includes(`${SECRET_MARK}-refresh-${family.id}-`)) continue
      const { hasLyingProxies, isInMemory } = this.#circumstances
      if (!hasLyingProxies && !isInMemory && !this.#unkept.has(family)) {
        this.#violated(`the token of family ${family.id}, to be revoked, was lost`)
      }
      this.#toRevoke.delete(family)
    }
    const stored = this.#stored
    // A session that was never stored ends with the program, as the window has said. So does one that was about to
    // replace another in the keychain.
    if (stored !== this.#mine || !isRestored(mark)) this.#mine = undefined
    if (this.#isSignedOut && mark !== 'signedOut') {
      // If neither the settings nor the keychain could be written, the next start knows nothing of the sign-out.
      const isUnkept = Math.min(this.#lastDiskFailure, this.#lastKeychainFailure) >= this.#signedOutAt
      if (isUnkept && (stored !== undefined || isRestored(mark))) this.#isSignedOut = false
      else if (stored !== undefined) this.#violated('the next start restores a session that was signed out of')
    }
    if (stored !== undefined && service.families.includes(stored)) {
      if (this.#isSignedOut) this.#toRevoke.add(stored)
      else if (mark !== 'signedOut') this.#toRevoke.delete(stored)
    }
    this.#superseded.clear()
    this.#delivered = undefined
    this.#isAsking = false
    this.#hasChangedPassword = false
    this.#cancelled.clear()
    this.#notBefore = Number.NEGATIVE_INFINITY
  }

  diskFailed(): void {
    this.#lastDiskFailure = this.#desktop.time.trueTime
  }

  looksAround(): void {
    const { store, service, sso, state } = this.#desktop
    this.#isActing = false
    for (const each of [service, sso]) for (const found of each.violations.splice(0)) this.#violated(found)
    const isIdle = !store.isBusy && this.#pending.every((request) => request.isAbandoned())
    if (!isIdle || !('kept' in state) || state.kept !== 'keychain') return
    const { entry, program, mark } = this.#desktop
    if (!isRestored(mark)) this.#violated('an entry is kept, but the marker does not say so')
    const issuer = state.account.grant.issuer === 'identityProvider' ? sso : service
    const family = entry === undefined ? undefined : issuer.familyOf(entry.refreshToken.reveal())
    if (entry === undefined || family === undefined) {
      this.#violated(`${state.kind}, but no entry is kept`)
      return
    }
    if (this.#mine !== undefined && family !== this.#mine) this.#violated('the entry is of another session')
    const newest = issuer.newestOf(family, program)
    if (newest !== undefined && newest !== entry.refreshToken.reveal()) {
      this.#violated(`the entry isn't the newest token, and the state says that it is`)
    }
  }

  /** Called when every request has its response, the keychain works and hours have passed. */
  looksBack(): void {
    this.looksAround()
    const { state, store, entryName } = this.#desktop
    if (!this.#circumstances.hasLyingProxies) {
      for (const family of [...this.#toRevoke, ...this.#superseded]) {
        const isHeldBack = this.#heldBack.has(family) && state.kind === 'sessionUnread'
        if (!family.isDead && !isHeldBack) this.#violated(`family ${family.id}, signed out of, still lives`)
      }
    }
    if (this.#isSignedOut) {
      if (state.kind !== 'signedOut') this.#violated(`signed out, but in the end ${state.kind}`)
      else if (state.revocation === 'pending') this.#violated('a revocation is pending for ever')
      if (store.entries.has(entryName)) this.#violated('something is left in the keychain')
    }
    if (this.#circumstances.neverRefuses && this.#mine !== undefined) {
      if (state.kind !== 'active') this.#violated(`in the end the session is ${state.kind}`)
      else if (state.kept !== store.persistence) this.#violated(`in the end it is kept: ${state.kept}`)
    }
    if (state.kind === 'signingIn') this.#violated('the sign-in never ends')
  }

  #published(state: SessionState): void {
    const text = JSON.stringify(state)
    if (/SECRET|\[secret\]/.test(text) || inspect(state, { depth: 9 }).includes(SECRET_MARK)) {
      this.#violated(`a state holds a secret: ${text}`)
    }
    this.#scheduled(state)
    const { kind } = baseStateOf(state)
    const isFirst = kind === 'restoring' && this.#desktop.states.length === 1
    // If the settings couldn't be written, only the keychain says that there is no session, and the keychain may be
    // unreadable.
    const isUnread = kind === 'sessionUnread' && this.#lastDiskFailure >= this.#signedOutAt
    if (this.#isSignedOut && !isFirst && !isUnread && state.kind !== 'signedOut') {
      this.#violated(`${state.kind} after the sign-out`)
    }
    if (this.#mine !== undefined && (kind === 'signedOut' || kind === 'ending' || kind === 'expired')) {
      if (this.#circumstances.neverRefuses) this.#violated(`a session was lost: ${text}`)
      this.#mine = undefined
    }
  }

  /** Records a violation if a token is refreshed within 30 s of its receipt and the user hasn't asked for that. */
  #scheduled(state: SessionState): void {
    const { program } = this.#desktop
    const base = baseStateOf(state)
    const isRunning = base.kind === 'active' && base.refresh === 'running'
    const isAsked = this.#isActing || [...this.#waits.values()].includes(program.id)
    if (isRunning && !this.#wasRunning && !isAsked) {
      if (program.clock.now() < base.token.receivedAt + 30_000) this.#violated('refreshed within 30 s')
    }
    this.#wasRunning = isRunning
  }

  #sent(request: ServiceRequest): void {
    if (!this.#desktop.isRunning(request.client.id)) return
    if (request.operation === 'login' && this.#isAsking) {
      this.#asked = request
      this.#isAsking = false
    }
    if (request.operation !== 'refresh' || !this.#isMine(request)) return
    if ([...this.#waits.values()].includes(request.client.id)) return
    if (request.client.clock.now() < this.#notBefore) this.#violated('Retry-After was not obeyed')
  }

  #isMine(request: ServiceRequest): boolean {
    const { service, sso } = this.#desktop
    return this.#mine !== undefined && (service.familyOf(request.sent) ?? sso.familyOf(request.sent)) === this.#mine
  }

  #logins(): readonly ServiceRequest[] {
    return this.#pending.filter(({ operation }) => operation === 'login')
  }

  get #stored(): Family | undefined {
    return this.#sessionIn(this.#desktop.store.entries.get(this.#desktop.entryName))
  }

  #sessionIn(text: string | undefined): Family | undefined {
    const read = text === undefined ? undefined : readEntry(entryText(text))
    const token = read?.kind === 'entry' ? (read.entry.session?.refreshToken.reveal() ?? '') : ''
    return this.#desktop.service.familyOf(token) ?? this.#desktop.sso.familyOf(token)
  }

  get #pending(): readonly ServiceRequest[] {
    const { service, sso } = this.#desktop
    return [...service.pending, ...sso.pending].filter(({ client }) => this.#desktop.isRunning(client.id))
  }

  #violated(what: string): void {
    if (this.violations.length < 5) this.violations.push(what)
  }
}

const isRestored = (mark: string | undefined): boolean => mark === 'stored' || mark === 'revoking'
