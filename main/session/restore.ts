import type { SessionEntry } from './entry.ts'
import type { Holding } from './held.ts'
import type { Clock, Random, StoredMarker } from './ports.ts'
import type { PublishedState } from './published-state.ts'
import type { Revocations } from './revocations.ts'
import { backoff, CAP_WHILE_SERVING } from './schedule.ts'
import { isUnread, settledOf } from './state.ts'
import type { UnderWay } from './under-way.ts'
import type { Stored, Vault } from './vault.ts'

const SHORTEST_PAUSE = 1_000

/** How long nobody is kept from signing in, where nothing says that a session was stored: milliseconds. */
const PATIENCE_WITHOUT_MARKER = 1_000

interface RestorePorts {
  /** The connection's normalised base address. */
  readonly name: string
  readonly marker: Pick<StoredMarker, 'get'>
  readonly clock: Clock
  readonly random: Random
  readonly holding: Holding
  readonly vault: Vault
  readonly revocations: Pick<Revocations, 'load' | 'isEmpty'> | undefined
  readonly state: PublishedState
  readonly underWay: UnderWay
  readonly resume: (entry: SessionEntry) => Promise<void>
}

/** Finds out what the keychain holds at start, however often it has to ask. */
export class Restore {
  readonly #ports: RestorePorts
  #isRunning = false
  #isWanted = true
  #attempts = 0
  #cancelRetry: (() => void) | undefined
  #cancelPatience = (): void => {}
  #isStopped = false

  constructor(ports: RestorePorts) {
    this.#ports = ports
  }

  /** Reads the keychain, unless it has been read; resolves when what stood there has been dealt with. */
  async run(): Promise<void> {
    if (this.#isRunning || this.#isStopped || !this.#isNeeded) return
    this.#isRunning = true
    this.#isWanted = true
    this.#cancelRetry?.()
    await this.#ports.underWay.add(this.#runOnce())
  }

  /** What the keychain answers to the question under way is not restored. */
  leave(): void {
    this.#isWanted = false
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelPatience()
    this.#cancelRetry?.()
  }

  get #isNeeded(): boolean {
    const { holding, state } = this.#ports
    return holding.held === undefined && isUnread(settledOf(state.now))
  }

  async #runOnce(): Promise<void> {
    const { holding, vault, revocations, state, resume } = this.#ports
    const isCurrent = holding.sameSession()
    this.#cancelPatience = this.#waitNoLonger(isCurrent)
    const stored = await this.#read()
    this.#cancelPatience()
    this.#isRunning = false
    // Who signed in or out meanwhile has taken care of what is stored.
    if (this.#isStopped || !this.#isWanted || !isCurrent()) return
    const revocation = revocations?.isEmpty === false ? 'pending' : 'none'
    switch (stored.kind) {
      case 'nothing':
        state.dispatch({ type: 'nothingStored', revocation })
        // Where it has been told before, this is new.
        if (revocation === 'pending') state.dispatch({ type: 'revocationChanged', revocation })
        break
      case 'leaving':
        state.dispatch({ type: 'nothingStored', revocation: 'pending' })
        await vault.forget()
        break
      case 'locked':
        state.dispatch({ type: 'keychainLocked' })
        this.#again()
        break
      case 'session':
        state.dispatch({ type: 'sessionFound' })
        await resume(stored.entry)
        break
    }
  }

  /** What waits to be revoked is no session's: that has to be known as well. */
  async #read(): Promise<Stored> {
    const { vault, revocations } = this.#ports
    const isKnown = (await revocations?.load()) ?? true
    const stored = await vault.read()
    if (isKnown || stored.kind !== 'session') return stored
    // The keychain may have been unlocked between the two.
    return (await revocations?.load()) ? vault.read() : { kind: 'locked' }
  }

  /** A keychain that hangs keeps nobody at the door who has no session in it, as far as anybody remembers. */
  #waitNoLonger(isCurrent: () => boolean): () => void {
    const { clock, marker, name, state } = this.#ports
    if (marker.get(name) !== undefined) return () => {}
    return clock.at(clock.now() + PATIENCE_WITHOUT_MARKER, () => {
      if (isCurrent()) state.dispatch({ type: 'nothingStored', revocation: 'none' })
    })
  }

  #again(): void {
    const { clock, random } = this.#ports
    this.#attempts += 1
    const pause = SHORTEST_PAUSE + backoff(this.#attempts, CAP_WHILE_SERVING, random)
    this.#cancelRetry = clock.at(clock.now() + pause, () => void this.run())
  }
}
