import type { Failure } from '../../contract/failures.ts'
import { readRevocationsEntry, revocationsEntryName, writeRevocationsEntry } from './entry.ts'
import type { AuthService, Clock, Issued, Random, SecretStore, StoredMarker } from './ports.ts'
import { receive } from './receipt.ts'
import { backoff, CAP_WHEN_OUT, waitOf } from './schedule.ts'
import { type AccessToken, isIn, type RefreshToken } from './secret.ts'

/** A refresh token that must die at the service, with the access token that may still serve to say so. */
export interface Condemned {
  readonly refreshToken: RefreshToken
  readonly accessToken?: AccessToken
  /** When the access token runs out, on the Clock. */
  readonly expiresAt?: number
}

interface Pending extends Condemned {
  /** How often the service has refused to end it, with a fresh access token. */
  readonly refusals?: number
  /** A refresh of this very token that was under way at sign-out: its answer replaces the token. */
  readonly landing?: Promise<Issued | undefined>
}

/** So often in a row a service may refuse to end a token before that is believed. */
const MOST_REFUSALS = 3

interface RevocationsPorts {
  readonly name: string
  readonly service: Required<Pick<AuthService, 'refresh' | 'logout'>>
  readonly store: SecretStore
  readonly marker: StoredMarker
  readonly clock: Clock
  readonly random: Random
  /** Whether a token is that of the session in hand, and serves it: until it doesn't, it is not asked with here. */
  readonly isInUse: (refreshToken: RefreshToken) => boolean
  /** Called when nothing is pending any more. */
  readonly onSettled: () => void
  /** Called when one could not be settled now. */
  readonly onPostponed: (failure: Failure) => void
}

/**
 * The pending revocations of one connection: signed out here, not yet dead at the service. Kept in the
 * keychain and tried, across restarts and new sign-ins, until endpoint 2 answers 2xx or a refusal.
 */
export class Revocations {
  readonly #ports: RevocationsPorts
  readonly #entryName: string
  #pending: readonly Pending[] = []
  /** Every token that has been pending in this run, so that none is taken up twice. */
  #seen: readonly RefreshToken[] = []
  /** What is just taken off the list: it isn't taken up again. */
  #sparing: RefreshToken | undefined
  /** What the entry may list: a keychain that is locked seems empty. */
  #listed: readonly RefreshToken[] = []
  /** Whether the entry has been read. */
  #loaded = false
  #loading: Promise<boolean> | undefined
  /** Counts the changes of the list, and which of them the keychain has. */
  #version = 0
  #savedVersion = 0
  /** Which of them still stood there when it was looked for later. */
  #affirmedVersion = 0
  #attempts = 0
  /** The service's own `Retry-After`, on the Clock. */
  #notBefore = 0
  #cancelRetry: (() => void) | undefined
  #running: Promise<void> | undefined
  #isRefused = false
  #stopped = false

  constructor(ports: RevocationsPorts) {
    this.#ports = ports
    this.#entryName = revocationsEntryName(ports.name)
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** Whether nothing is pending, nor can be found to be, and the keychain has it so. */
  get #isSettled(): boolean {
    return this.isEmpty && this.#loaded && this.#savedVersion === this.#version
  }

  /** Whether a crash now would lose no pending token. */
  get isSafe(): boolean {
    return this.isEmpty || this.#savedVersion === this.#version
  }

  /** Whether a token is pending, or has been: one that was refreshed to be revoked, or is dead, is no session's either. */
  isCondemned(refreshToken: RefreshToken): boolean {
    return isIn(this.#seen, refreshToken)
  }

  /** Takes a token to revoke; resolves when the keychain has it, or could not take it for now. */
  async add(condemned: Condemned, landing?: Promise<Issued | undefined>): Promise<void> {
    if (isIn(this.#seen, condemned.refreshToken)) return
    this.#seen = [...this.#seen, condemned.refreshToken]
    await this.#change([...this.#pending, landing === undefined ? condemned : { ...condemned, landing }])
  }

  /**
   * Takes off the list what is to be kept as a session: a service may give a user the same token again. False where the
   * keychain lists it still.
   */
  async spare(refreshToken: RefreshToken, isWanted: () => boolean): Promise<boolean> {
    const forget = () => {
      this.#seen = this.#seen.filter((each) => !each.equals(refreshToken))
    }
    this.#sparing = refreshToken
    forget()
    const isRead = await this.#takeUp()
    const isPending = this.#pending.some((each) => each.refreshToken.equals(refreshToken))
    const isListed = isPending || isIn(this.#listed, refreshToken)
    // Not what was signed out of meanwhile.
    if (isListed && isWanted()) {
      forget()
      await this.#change(this.#pending.filter((each) => !each.refreshToken.equals(refreshToken)))
    }
    this.#sparing = undefined
    return isRead && !isIn(this.#listed, refreshToken)
  }

  /** Works through the list, once at a time; what can't be settled now is tried again later. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined
      // Added after the last look at the list.
      if (!this.isEmpty && this.#cancelRetry === undefined && !this.#stopped) void this.run()
    })
    return this.#running
  }

  /** What is under way of it. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Tries at once what has been waiting, unless the service asked to wait. */
  wake(): void {
    if (this.#cancelRetry !== undefined && this.#ports.clock.now() >= this.#notBefore) void this.run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    await this.#running
    await this.#affirm()
  }

  /** What became of the last ones, once there are none: dead, or alive because the service refuses to end them. */
  get end(): 'done' | 'refused' {
    return this.#isRefused ? 'refused' : 'done'
  }

  /** Reads what an earlier run left, once for all who ask meanwhile. False where it could not be read. */
  async load(): Promise<boolean> {
    if (this.#loaded) return true
    this.#loading ??= this.#takeUp().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #runOnce(): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    if (this.#attempts > 0) await this.#affirm()
    await this.#save()
    this.#notBefore = 0
    // Settling one removes it from the list, and signing out meanwhile adds to it.
    const tried = new Set<Pending>()
    const untried = () => this.#pending.find((each) => !tried.has(each))
    for (let next = untried(); next !== undefined && !this.#stopped; next = untried()) {
      tried.add(next)
      await this.#revoke(next, tried)
    }
    if (this.#isSettled) this.#attempts = 0
    if (this.#isSettled || this.#stopped) return
    this.#attempts += 1
    const { clock, random } = this.#ports
    const retryAt = Math.max(this.#notBefore, clock.now() + backoff(this.#attempts, CAP_WHEN_OUT, random))
    this.#cancelRetry = clock.at(retryAt, () => void this.run())
  }

  /** One token, as far as it goes now. */
  async #revoke(item: Pending, tried: Set<Pending>): Promise<void> {
    const { service, clock, isInUse, onPostponed } = this.#ports
    let current = item
    const advance = async (issued: Issued): Promise<void> => {
      // A sign-in has taken it back meanwhile.
      if (!this.#pending.includes(current)) return
      const { accessToken, refreshToken = current.refreshToken, expiresAt } = receive(issued, clock)
      const next = { accessToken, refreshToken, expiresAt, refusals: current.refusals ?? 0 }
      tried.add(next)
      this.#seen = [...this.#seen, refreshToken]
      const replaced = this.#pending.map((each) => (each === current ? next : each))
      current = next
      await this.#change(replaced)
    }
    const settle = () => this.#change(this.#pending.filter((each) => each !== current))
    const postpone = (failure: Failure) => {
      this.#notBefore = Math.max(this.#notBefore, clock.now() + waitOf(failure.retryAfter))
      onPostponed(failure)
    }

    const landed = await current.landing
    if (landed !== undefined) await advance(landed)
    if (isInUse(current.refreshToken)) return
    const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = current
    if (accessToken !== undefined && clock.now() < expiresAt) {
      const answer = await service.logout(accessToken, current.refreshToken)
      if (answer.ok) return settle()
      if (answer.failure.code !== 'sessionEnded') return postpone(answer.failure)
      // The refusal may mean the access token alone: only a fresh one tells.
    }
    if (isInUse(current.refreshToken)) return
    const renewed = await service.refresh(current.refreshToken)
    if (!renewed.ok) {
      return renewed.failure.code === 'sessionEnded' ? settle() : postpone(renewed.failure)
    }
    await advance(renewed.value)
    if (isInUse(current.refreshToken)) return
    const answer = await service.logout(renewed.value.accessToken, current.refreshToken)
    if (answer.ok) return settle()
    // Of an access token that ran out on the way, the refusal tells nothing.
    const isRefused = answer.failure.code === 'sessionEnded' && clock.now() < (current.expiresAt ?? 0)
    if (!isRefused) return postpone(answer.failure)
    // The token is alive, as the refresh has just shown. The access token may have run out unseen (not every one
    // tells its end); but a service that refuses again and again will not end it, and asking on is no use.
    const refusals = (current.refusals ?? 0) + 1
    if (refusals < MOST_REFUSALS) {
      const asked = { ...current, refusals }
      tried.add(asked)
      await this.#change(this.#pending.map((each) => (each === current ? asked : each)))
      return postpone(answer.failure)
    }
    this.#isRefused = true
    return settle()
  }

  #change(pending: readonly Pending[]): Promise<void> {
    const wasEmpty = this.isEmpty
    this.#pending = pending
    this.#version += 1
    if (wasEmpty && !this.isEmpty) this.#isRefused = false
    if (this.isEmpty && !wasEmpty) this.#ports.onSettled()
    return this.#save()
  }

  /** Takes up what the entry holds and isn't known here. False where it could not be read. */
  async #takeUp(): Promise<boolean> {
    const stored = await this.#read()
    if (stored === undefined) return false
    this.#loaded = true
    this.#listed = [...this.#listed, ...stored.filter((token) => !isIn(this.#listed, token))]
    const left = stored.filter((token) => !isIn(this.#seen, token) && !this.#sparing?.equals(token))
    this.#seen = [...this.#seen, ...left]
    this.#pending = [...left.map((refreshToken) => ({ refreshToken })), ...this.#pending]
    if (left.length > 0) this.#mark()
    return true
  }

  async #save(): Promise<void> {
    if (this.#savedVersion === this.#version) {
      await this.load()
      return
    }
    // Another copy of the program, or an earlier run that seemed to have left nothing, may have written there.
    if (!(await this.#takeUp())) return
    const version = this.#version
    if (this.#savedVersion === version) return
    const { store, marker } = this.#ports
    if (!this.isEmpty) this.#mark()
    const tokens = this.#pending.map(({ refreshToken }) => refreshToken)
    const outcome = this.isEmpty
      ? await store.delete(this.#entryName)
      : await store.write(this.#entryName, writeRevocationsEntry(tokens))
    if (!outcome.ok || version < this.#savedVersion) return
    this.#savedVersion = version
    this.#listed = tokens
    if (this.isEmpty) marker.clear(this.#entryName)
  }

  /**
   * Looks once for what was written a while ago: two copies of the program that write at once don't see each other. What no
   * longer stands there is written again.
   */
  async #affirm(): Promise<void> {
    const version = this.#version
    if (this.isEmpty || this.#savedVersion !== version || this.#affirmedVersion === version) return
    const stored = await this.#read()
    if (stored === undefined || this.#version !== version) return
    if (this.#pending.every(({ refreshToken }) => isIn(stored, refreshToken))) {
      this.#affirmedVersion = version
      return
    }
    this.#version += 1
    await this.#save()
  }

  /** What the entry lists; nothing where it could not be read. */
  async #read(): Promise<readonly RefreshToken[] | undefined> {
    const result = await this.#ports.store.read(this.#entryName)
    if (result.kind === 'locked' || result.kind === 'unavailable') return undefined
    return result.kind === 'found' ? (readRevocationsEntry(result.value) ?? []) : []
  }

  /** The settings remember that there is something: the address may have no connection by the time it can be settled. */
  #mark(): void {
    const { store, marker } = this.#ports
    if (store.persistence === 'keychain') marker.set(this.#entryName, 'stored')
  }
}
