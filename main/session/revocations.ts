import { readRevocationsEntry, revocationsEntryName, writeRevocationsEntry } from './entry.ts'
import type { AuthService, Clock, Issued, Random, SecretStore } from './ports.ts'
import { backoff, CAP_WHEN_OUT, LONGEST_RETRY_AFTER } from './schedule.ts'
import type { AccessToken, RefreshToken } from './secret.ts'

/** A refresh token that must die at the service, with the access token that may still serve to say so. */
export interface Condemned {
  readonly refreshToken: RefreshToken
  readonly accessToken?: AccessToken
}

interface Pending extends Condemned {
  /** A refresh of this very token that was under way at sign-out: its answer replaces the token. */
  readonly landing?: Promise<Issued | undefined>
}

interface RevocationsPorts {
  readonly name: string
  readonly service: Required<Pick<AuthService, 'refresh' | 'logout'>>
  readonly store: SecretStore
  readonly clock: Clock
  readonly random: Random
  readonly onSettled: () => void
}

/**
 * The pending revocations of one connection: signed out here, not yet dead at the service. Kept in the
 * keychain and tried, across restarts and new sign-ins, until endpoint 2 answers 2xx or a refusal.
 */
export class Revocations {
  readonly #ports: RevocationsPorts
  readonly #entryName: string
  #pending: readonly Pending[] = []
  /** Nothing is written before the entry has been read, or tokens of an earlier run would be lost. */
  #loaded = false
  #unsaved = false
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(ports: RevocationsPorts) {
    this.#ports = ports
    this.#entryName = revocationsEntryName(ports.name)
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** Takes a token to revoke; resolves when the keychain has it, or could not take it. */
  async add(condemned: Condemned, landing?: Promise<Issued | undefined>): Promise<void> {
    const known = this.#pending.some((each) => each.refreshToken.equals(condemned.refreshToken))
    if (known) return
    await this.#change([...this.#pending, landing === undefined ? condemned : { ...condemned, landing }])
  }

  /** Works through the list, once at a time; what can't be settled now is tried again later. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Tries at once what has been waiting. */
  wake(): void {
    if (this.#cancelRetry !== undefined) void this.run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    await this.#running
  }

  async #runOnce(): Promise<void> {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    await this.#save()
    const hadAny = !this.isEmpty
    let retryAfter = 0
    // Settling one removes it from the list, and signing out meanwhile adds to it.
    const seen = new Set<Pending>()
    for (let next = this.#next(seen); next !== undefined && !this.#stopped; next = this.#next(seen)) {
      seen.add(next)
      retryAfter = Math.max(retryAfter, await this.#revoke(next, seen))
    }
    if (this.isEmpty && this.#loaded) {
      this.#attempts = 0
      if (hadAny) this.#ports.onSettled()
      return
    }
    if (this.#stopped) return
    this.#attempts += 1
    const { clock, random } = this.#ports
    const delay = Math.max(retryAfter, backoff(this.#attempts, CAP_WHEN_OUT, random))
    this.#cancelRetry = clock.at(clock.now() + delay, () => void this.run())
  }

  #next(seen: ReadonlySet<Pending>): Pending | undefined {
    return this.#pending.find((each) => !seen.has(each))
  }

  /** One token, as far as it goes now. Answers how long the service asked to wait, in milliseconds. */
  async #revoke(item: Pending, seen: Set<Pending>): Promise<number> {
    const { service } = this.#ports
    let current = item
    const advance = async (issued: Issued): Promise<void> => {
      const next = {
        refreshToken: issued.refreshToken ?? current.refreshToken,
        accessToken: issued.accessToken,
      }
      await this.#replace(current, next)
      current = next
      seen.add(next)
    }
    const landed = await current.landing
    if (landed !== undefined) await advance(landed)
    if (current.accessToken !== undefined) {
      const answer = await service.logout(current.accessToken, current.refreshToken)
      if (answer.ok) return this.#settle(current)
      if (answer.failure.code !== 'sessionEnded') return waitOf(answer.failure.retryAfter)
      // The refusal may mean the access token alone: only a fresh one tells.
    }
    const renewed = await service.refresh(current.refreshToken)
    if (!renewed.ok) {
      return renewed.failure.code === 'sessionEnded' ? this.#settle(current) : waitOf(renewed.failure.retryAfter)
    }
    await advance(renewed.value)
    const answer = await service.logout(renewed.value.accessToken, current.refreshToken)
    if (answer.ok || answer.failure.code === 'sessionEnded') return this.#settle(current)
    return waitOf(answer.failure.retryAfter)
  }

  #replace(old: Pending, next: Pending): Promise<void> {
    return this.#change(this.#pending.map((each) => (each === old ? next : each)))
  }

  async #settle(item: Pending): Promise<number> {
    await this.#change(this.#pending.filter((each) => each !== item))
    return 0
  }

  #change(pending: readonly Pending[]): Promise<void> {
    this.#pending = pending
    this.#unsaved = true
    return this.#save()
  }

  /** Reads what an earlier run left. */
  async load(): Promise<void> {
    if (this.#loaded) return
    const result = await this.#ports.store.read(this.#entryName)
    if (this.#loaded || result.kind === 'locked' || result.kind === 'unavailable') return
    this.#loaded = true
    if (result.kind === 'missing') return
    const stored = readRevocationsEntry(result.value) ?? []
    const added = stored.filter((token) => !this.#pending.some((each) => each.refreshToken.equals(token)))
    this.#pending = [...added.map((token) => ({ refreshToken: token })), ...this.#pending]
  }

  async #save(): Promise<void> {
    if (!this.#loaded) await this.load()
    if (!this.#loaded || !this.#unsaved) return
    const { store } = this.#ports
    this.#unsaved = false
    const outcome = this.isEmpty
      ? await store.delete(this.#entryName)
      : await store.write(this.#entryName, writeRevocationsEntry(this.#pending.map((each) => each.refreshToken)))
    if (!outcome.ok) this.#unsaved = true
  }
}

function waitOf(retryAfter: number | undefined): number {
  return Math.min((retryAfter ?? 0) * 1_000, LONGEST_RETRY_AFTER)
}
