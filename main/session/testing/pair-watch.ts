import { inspect } from 'node:util'
import type { Outcome } from '../../../contract/failures.ts'
import { readSessionEntry, revocationsEntryName } from '../entry.ts'
import { entryText } from '../secret.ts'
import { isUnread, type SessionState, settledOf } from '../state.ts'
import { type Desktop, NAME } from './desktop.ts'
import { Families, type Family } from './families.ts'
import { SECRET_MARK, type ServiceRequest } from './model-service.ts'
import type { OpenStore } from './model-store.ts'
import type { Witness } from './steps.ts'
import { type Copy, watched } from './watched-copy.ts'

interface Condemned {
  readonly by: Copy
  /** Those that were known where it was signed out. */
  readonly tokens: readonly string[]
}

/**
 * Looks on while two copies of the program use one keychain entry, and notes what must never be. What a copy could
 * have read in the keychain it must have read: before it sends a token, before it gives up, before it writes.
 *
 * They can't lock each other out, so this alone is let pass:
 * - both send the same token before either could write its successor, or at the same moment as it is written;
 * - a change is made late because the keychain was away, or by a copy that was killed: it meets whatever stands there;
 * - two accounts share the one entry: who renews last has it;
 * - both write the list of pending revocations at the same moment, and one is killed before it writes its own token again;
 * - a successor that the other copy got, or that was lost with a reply, before the service was told of a sign-out.
 */
export class PairWatch {
  readonly violations: string[] = []
  readonly #copies: readonly Copy[]
  readonly #families: Families
  /** Spent refresh tokens are exchanged for ever. */
  readonly #isGenerous: boolean
  /** What a user signed out of or replaced, in whichever copy: it is no copy's to keep. */
  readonly #givenUp = new Set<Family>()
  /** Signed out of: what has to be dead in the end. */
  readonly #condemned = new Map<Family, Condemned>()
  /** Of logins that only proved a password: their tokens have never been in the session's entry. */
  readonly #proofs = new Set<Family>()
  #moment = 0
  #changedAt = 0
  #changedBy: OpenStore | undefined
  /** The entry was changed just now: who read it a moment ago could not know. */
  #isFresh = false
  /** All that the entry of the pending revocations has held. */
  #revoking = ''
  /** The keychain has been away: what was to be changed then is changed late, whatever stands there by now. */
  #wasTroubled = false

  constructor(desktops: readonly Desktop[], isGenerous: boolean) {
    this.#isGenerous = isGenerous
    this.#copies = desktops.map(watched)
    this.#families = new Families(this.#some.desktop)
    for (const copy of this.#copies) copy.desktop.onState = (state) => this.#published(copy, state)
    const { store, service, sso } = this.#some.desktop
    store.onChange = (name, before, after, by) => {
      if (name === NAME) this.#changed(before, after, by)
      if (name === revocationsEntryName(NAME)) this.#revoking += after ?? ''
    }
    for (const each of [service, sso]) {
      each.answering = (request) => {
        this.#sent(request)
        return undefined
      }
    }
  }

  /** What a schedule tells of one copy. */
  of(which: 0 | 1): Witness {
    const copy = this.#copies[which] ?? this.#some
    return {
      violations: this.violations,
      userActs: () => {},
      userWaits: () => {},
      signsIn: (ask) => this.#signsIn(copy, ask),
      signsOut: () => this.#signsOut(copy),
      answers: () => {},
      loggedIn: (...login) => this.#loggedIn(...login),
      proved: (_, family) => this.#proved(copy, family),
      keychainTroubled: () => {
        this.#wasTroubled = true
      },
      killed: () => this.#killed(copy),
    }
  }

  /** To be called after every step. */
  looksAround(): void {
    const { store, service, sso, entry } = this.#some.desktop
    for (const found of [service, sso].flatMap((each) => each.violations.splice(0))) {
      // A copy may take up what the other was to revoke, and ask with a token that it has itself spent before.
      const family = this.#families.inText(found)
      if (family === undefined || !this.#givenUp.has(family)) this.#violated(found)
    }
    if (store.entries.has(NAME) && entry === undefined) this.#violated('a half-written entry')
    if (store.isBusy || [...service.pending, ...sso.pending].some((request) => !request.isAbandoned())) return
    for (const { desktop, mine } of this.#copies) {
      const { state, program, marker } = desktop
      if (!('kept' in state) || state.kept !== 'keychain') continue
      if (marker.get(NAME) !== 'stored') this.#violated('a session is kept, but the marker does not say so')
      if (entry === undefined || program.store !== this.#changedBy || mine === undefined || this.#givenUp.has(mine))
        continue
      const newest = this.#families.issuerOf(mine).newestOf(mine, program)
      if (newest !== undefined && newest !== entry.refreshToken.reveal()) {
        this.#violated(`the entry isn't the newest token of who wrote it, and the state says that it is`)
      }
    }
  }

  /** To be called when every request has been answered, the keychain works and hours have passed. */
  looksBack(): void {
    this.looksAround()
    const { store, entry } = this.#some.desktop
    for (const family of this.#condemned.keys()) {
      if (this.#lives(family)) this.#violated(`family ${family.id}, signed out of, still lives`)
    }
    for (const { desktop, mine, isSignedOut } of this.#copies) {
      const { state } = desktop
      if (state.kind === 'signingIn') this.#violated('the sign-in never ends')
      if (state.kind === 'signedOut' && state.revocation === 'pending')
        this.#violated('a revocation is pending for ever')
      if (isSignedOut && state.kind !== 'signedOut') this.#violated(`signed out, but in the end ${state.kind}`)
      if (this.#isGenerous && mine !== undefined && !this.#givenUp.has(mine) && state.kind !== 'active') {
        this.#violated(`in the end a session is ${state.kind}`)
      }
      if (state.kind !== 'active') continue
      if (state.kept !== 'keychain') this.#violated(`in the end it is kept: ${state.kept}`)
      if (entry === undefined) this.#violated('active in the end, but nothing is kept')
    }
    const [name, other] = store.entries.keys()
    if (other !== undefined || (name !== undefined && name !== NAME)) this.#violated('more is left than the session')
    const isOver = this.#copies.every(({ isSignedOut }) => isSignedOut)
    if (isOver && entry !== undefined) this.#violated('something is left in the keychain')
  }

  get #some(): Copy {
    const [copy] = this.#copies
    if (copy === undefined) throw new Error('there is no copy')
    return copy
  }

  #signsIn(copy: Copy, ask: () => Promise<Outcome>): void {
    copy.isSignedOut = false
    copy.actedAt = ++this.#moment
    copy.turns += 1
    const { turns, mine: old } = copy
    const before = this.#logins(copy)
    const done = ask()
    copy.asked = this.#logins(copy).find((request) => !before.includes(request)) ?? copy.asked
    void done.then(({ ok }) => {
      if (!ok || turns !== copy.turns) return
      if (old !== undefined) this.#givenUp.add(old)
      copy.mine = copy.delivered
      copy.delivered = undefined
    })
  }

  #signsOut(copy: Copy): void {
    copy.isSignedOut = true
    copy.actedAt = ++this.#moment
    copy.turns += 1
    // Who is signed out already touches nothing of the other copy.
    if (copy.desktop.state.kind === 'signedOut') return
    for (const request of this.#logins(copy)) if (!request.isAbandoned()) copy.cancelled.add(request)
    const settled = settledOf(copy.desktop.state)
    const isKept = isUnread(settled) || ('kept' in settled && settled.kept !== 'memory')
    const stored = this.#stored
    if (stored !== undefined) this.#givenUp.add(stored)
    for (const family of new Set([copy.mine, copy.delivered, isKept ? stored : undefined])) {
      if (family === undefined) continue
      this.#condemn(copy, family)
    }
    copy.mine = undefined
    copy.delivered = undefined
  }

  #condemn(by: Copy, family: Family): void {
    const { service, entry } = by.desktop
    this.#givenUp.add(family)
    if (!service.families.includes(family)) return
    const stored = this.#isReadable && this.#stored === family ? entry?.refreshToken.reveal() : undefined
    const held = family === by.mine || family === by.delivered ? this.#heldBy(by) : undefined
    const tokens = [held, stored].filter((token) => token !== undefined)
    this.#condemned.set(family, { by, tokens })
  }

  /**
   * Whether what was signed out of can still be used. The other copy, or a lost reply, may have got a successor
   * before the service was told: by a spent token one that detects reuse ends that too, another can't be told of it.
   */
  #lives(family: Family): boolean {
    const { service } = this.#some.desktop
    const tokens = this.#condemned.get(family)?.tokens ?? []
    return !family.isDead && (service.options.detectsReuse || tokens.some((token) => service.isValid(token)))
  }

  /** What a copy holds: the token that it sent last, or what it has got since. */
  #heldBy({ desktop, mine, delivered, sending, newestThen }: Copy): string | undefined {
    const family = mine ?? delivered
    const newest = family && this.#families.issuerOf(family).newestOf(family, desktop.program)
    return newest === newestThen && sending !== undefined ? sending : newest
  }

  #loggedIn(request: ServiceRequest, wasAbandoned: boolean, family: Family): void {
    const copy = this.#copyOf(request)
    if (wasAbandoned || copy === undefined) return
    if (copy.cancelled.has(request)) {
      this.#condemn(copy, family)
      return
    }
    copy.actedAt = ++this.#moment
    // From here on the old session is given up: for the new one, or for that of a silent sign-in.
    const held = this.#heldBy(copy)
    if (held !== undefined) copy.replaced.add(held)
    if (copy.mine !== undefined) this.#givenUp.add(copy.mine)
    copy.mine = undefined
    copy.delivered = request === copy.asked ? family : undefined
    copy.isChanging = true
  }

  #proved(copy: Copy, family: Family): void {
    this.#proofs.add(family)
    this.#givenUp.add(family)
    const token = this.#families.issuerOf(family).newestOf(family, copy.desktop.program)
    this.#condemned.set(family, { by: copy, tokens: token === undefined ? [] : [token] })
  }

  #killed(copy: Copy): void {
    const { store, marker } = copy.desktop
    const texts = [...store.entries.values()]
    for (const [family, { by, tokens }] of this.#condemned) {
      if (by !== copy || !this.#lives(family)) continue
      const isIn = (text: string) => text.includes(`${SECRET_MARK}-refresh-${family.id}-`)
      const isKept = texts.some(isIn)
      // Both copies wrote the list at the same moment, and this one was killed before it could write its token again.
      const isOverwritten = this.#proofs.has(family) && isIn(this.#revoking)
      if (!this.#wasTroubled && !isKept && !isOverwritten)
        this.#violated(`the token of family ${family.id}, to be revoked, was lost`)
      // What stands in the entry of the session alone, the other copy may replace unread.
      const pending = store.entries.get(revocationsEntryName(NAME)) ?? ''
      const isPending = isIn(pending) && tokens.every((token) => pending.includes(`"${token}"`))
      const isSafe = this.#wasTroubled ? isPending : isKept
      if (!isSafe) this.#condemned.delete(family)
    }
    copy.mine = marker.get(NAME) === 'stored' ? this.#stored : undefined
    // It takes the session that the other copy keeps, unless its own is still to be deleted there.
    if (marker.get(NAME) !== 'leaving') copy.isSignedOut = false
    copy.delivered = undefined
    copy.sent = new Set()
    copy.sending = undefined
    copy.isUnwritten = false
    // It doesn't know any more which entry it was to delete: the next one that it finds.
    copy.isChanging = marker.get(NAME) === 'leaving'
    copy.lastKind = 'restoring'
    copy.cancelled.clear()
    copy.replaced.clear()
  }

  #published(copy: Copy, state: SessionState): void {
    const text = JSON.stringify(state)
    if (/SECRET|\[secret\]/.test(text) || inspect(state, { depth: 9 }).includes(SECRET_MARK)) {
      this.#violated(`a state holds a secret: ${text}`)
    }
    const settled = settledOf(state)
    const { kind } = settled
    if ('kept' in settled) copy.isUnwritten = settled.kept === 'unwritten'
    const isFirst = kind === 'restoring' && copy.desktop.states.length === 1
    if (copy.isSignedOut && !isFirst && state.kind !== 'signedOut') this.#violated(`${state.kind} after the sign-out`)
    const isLost = kind === 'signedOut' || kind === 'ending' || kind === 'expired'
    const { mine, lastKind } = copy
    copy.lastKind = kind
    // Nobody can renew this one: it ends of itself.
    const isBound = 'account' in settled && settled.account.method === 'sso' && !copy.desktop.sso.options.isRefreshable
    if (isBound || mine === undefined || !isLost || lastKind === 'ending' || lastKind === 'expired') return
    if (this.#isGenerous && !this.#givenUp.has(mine)) this.#violated(`a session was lost: ${text}`)
    if (this.#tokensAtHand(copy).some((token) => this.#families.issuerOf(mine).isValid(token))) {
      this.#violated(`given up, though a token at hand still serves: ${text}`)
    }
    copy.mine = undefined
  }

  /** The tokens that a copy had to try before it gave up: its own newest, and what the keychain gives. */
  #tokensAtHand(copy: Copy): readonly string[] {
    const { desktop, mine, sent } = copy
    if (mine === undefined) return []
    const own = this.#givenUp.has(mine) ? undefined : this.#heldBy(copy)
    const entry = this.#isReadable && !copy.isUnwritten ? desktop.entry : undefined
    const stored = this.#stored
    const isSame = stored !== undefined && this.#families.isSameAccount(stored, mine) && !this.#givenUp.has(stored)
    const theirs = isSame ? entry?.refreshToken.reveal() : undefined
    const isAtHand = (token: string) => !this.#isToBeRevoked(token) && !(token === theirs && sent.has(token))
    return [own, theirs].filter((token) => token !== undefined && isAtHand(token)) as string[]
  }

  #sent(request: ServiceRequest): void {
    const copy = this.#copyOf(request)
    const family = this.#families.of(request.sent)
    if (request.operation !== 'refresh' || copy === undefined || family === undefined) return
    const isOut = settledOf(copy.desktop.state).kind === 'signedOut'
    if (isOut || this.#isToBeRevoked(request.sent) || copy.replaced.has(request.sent)) return
    if (copy.mine !== family && this.#storedToken !== request.sent) return
    copy.mine = family
    copy.delivered = undefined
    const newest = this.#families.issuerOf(family).newestOf(family, copy.desktop.program)
    const stored = this.#isReadable && !copy.isUnwritten ? copy.desktop.entry?.refreshToken.reveal() : undefined
    const theirs = stored === undefined ? undefined : this.#families.of(stored)
    const isGivenUp = this.#givenUp.has(family)
    if (
      theirs !== undefined &&
      !isGivenUp &&
      stored !== request.sent &&
      this.#families.isSameAccount(theirs, family) &&
      !copy.sent.has(stored ?? '')
    ) {
      this.#violated(`${request.sent} was sent, though ${stored} stood in the keychain`)
    }
    copy.sent.add(request.sent)
    copy.sending = request.sent
    copy.newestThen = newest
  }

  #changed(before: string | undefined, after: string | undefined, by: OpenStore): void {
    const [old, now] = [this.#families.inText(before), this.#families.inText(after)]
    const copy = this.#copies.find(({ desktop }) => desktop.program.store === by)
    if (old !== undefined && old !== now) {
      const isAsked = copy === undefined || copy.actedAt > this.#changedAt || copy.isChanging
      // One entry for two accounts: who renews last has it.
      const isOtherAccount = now !== undefined && !this.#families.isSameAccount(old, now)
      const isToBeRevoked = this.#isToBeRevoked(tokenIn(before ?? '') ?? '')
      if (!isAsked && !isOtherAccount && !isToBeRevoked && !this.#wasTroubled && !this.#isFresh)
        this.#violated(`family ${old.id} lost its entry to ${now?.id}`)
      this.#givenUp.add(old)
    }
    if (copy !== undefined) copy.isChanging = false
    this.#changedAt = ++this.#moment
    this.#changedBy = by
    this.#isFresh = true
    setImmediate(() => {
      this.#isFresh = false
    })
  }

  get #isReadable(): boolean {
    return this.#some.desktop.store.mode === 'ok' && !this.#isFresh
  }

  /** Whether it ever stood among the pending revocations: what one copy has settled, the other may still try. */
  #isToBeRevoked(token: string): boolean {
    return this.#revoking.includes(`"${token}"`)
  }

  get #storedToken(): string | undefined {
    return this.#some.desktop.entry?.refreshToken.reveal()
  }

  get #stored(): Family | undefined {
    return this.#families.inText(this.#some.desktop.store.entries.get(NAME))
  }

  #copyOf({ client }: ServiceRequest): Copy | undefined {
    return this.#copies.find(({ desktop }) => desktop.program.id === client.id)
  }

  #logins({ desktop }: Copy): readonly ServiceRequest[] {
    const { service, sso, program } = desktop
    const all = [...service.pending, ...sso.pending]
    return all.filter(({ operation, client }) => operation === 'login' && client.id === program.id)
  }

  #violated(what: string): void {
    if (this.violations.length < 5) this.violations.push(what)
  }
}

const tokenIn = (entry: string): string | undefined => readSessionEntry(entryText(entry))?.refreshToken.reveal()
