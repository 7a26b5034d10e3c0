import type { Clock } from '../session/ports.ts'
import { isShortLived } from '../session/schedule.ts'
import type { AccessToken } from '../session/secret.ts'
import { Ongoing } from './ongoing.ts'
import { answerOf, isRefreshing, isYoung, type TokenAnswer, type Want, waitUntil } from './serving.ts'
import type { HeldToken, TokenSource } from './token-source.ts'

/**
 * Tools begin at most one refresh in this time, however fast they ask, reject or fail: milliseconds. Twice as long for
 * each token in a row that was rejected when it had hardly come, as where it is rights that a tool lacks.
 */
export const PACE = 1_000

/** SECURITY: the same if the service's tokens live for less than 30 s: they are expired most of the time. */
export const SHORT_LIVED_PACE = 10_000

interface DispenserPorts {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** How long anybody waits at most, in milliseconds. */
  readonly patience: number
}

interface Waiter {
  readonly want: Want
  readonly deadline: number
  readonly reply: Reply
  readonly cancelTimer: () => void
}

type Reply = (answer: TokenAnswer) => void

const NOTHING = (): void => {}

/** Answers tools from the token in hand, or has them wait, together, for the one refresh. */
export class Dispenser {
  readonly #ports: DispenserPorts
  readonly #waiters = new Set<Waiter>()
  /** When a tool may begin a refresh again, on the Clock. */
  #mayBeginAt = Number.NEGATIVE_INFINITY
  #rejected: AccessToken | undefined
  /** How many tokens before it were rejected as soon as they came. */
  #spurned = 0
  readonly #pause = new Ongoing()
  readonly #watching = new Ongoing()
  #wasRefreshing = false

  constructor(ports: DispenserPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#watching.begin(() => this.#ports.source.subscribe(() => this.#look()))
  }

  /** Answers whoever waits that it is over. */
  stop(): void {
    this.#watching.end()
    this.#pause.end()
    for (const waiter of this.#waiters) {
      this.#forget(waiter)
      waiter.reply({ kind: 'stopping' })
    }
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Replies exactly once, now or by the deadline; the undo takes the question back. */
  ask(want: Want, reply: Reply): () => void {
    const { source, clock, patience } = this.#ports
    const now = clock.now()
    const { hand } = source
    const deadline = now + patience
    const until = waitUntil(want, hand, now, deadline)
    if (until === undefined) {
      reply(answerOf(want, hand, now))
      return NOTHING
    }
    const waiter: Waiter = { want, deadline, reply, cancelTimer: clock.at(until, () => this.#answer(waiter)) }
    this.#waiters.add(waiter)
    this.#begin()
    return () => this.#forget(waiter)
  }

  /** A tool met a 401 with this token: compare and swap, so that a storm of them causes one refresh. */
  rejected(token: AccessToken, reply: Reply): () => void {
    const { hand } = this.#ports.source
    const current = hand.kind === 'signedIn' ? hand.token : undefined
    if (current?.accessToken.equals(token) !== true)
      return this.ask({ kind: 'valid', minValidity: 0, isStrict: false }, reply)
    this.#noteRejection(current)
    return this.ask({ kind: 'another', than: token }, reply)
  }

  /** Counts each token once, however many tools reject it. */
  #noteRejection(token: HeldToken): void {
    if (token.accessToken === this.#rejected) return
    const { clock, patience } = this.#ports
    const now = clock.now()
    const isInARow = isYoung(token, now) && now < this.#mayBeginAt + patience
    this.#rejected = token.accessToken
    this.#spurned = isInARow ? this.#spurned + 1 : 0
  }

  #begin(): void {
    const { source, clock, patience } = this.#ports
    if (isRefreshing(source.hand) || this.#pause.isOn) return
    const now = clock.now()
    if (now < this.#mayBeginAt) {
      this.#pause.begin(() =>
        clock.at(this.#mayBeginAt, () => {
          this.#pause.end()
          if (this.#waiters.size > 0) this.#begin()
        }),
      )
      return
    }
    // Tools that wait for the next token still get one.
    const { hand } = source
    const isShort = hand.kind === 'signedIn' && hand.token !== undefined && isShortLived(hand.token)
    this.#mayBeginAt = now + Math.min(Math.max(PACE * 2 ** this.#spurned, isShort ? SHORT_LIVED_PACE : 0), patience / 2)
    // If none could be begun, this one is over.
    this.#wasRefreshing = true
    source.refresh()
    this.#look()
  }

  /** Answers those whose waiting is over: they have what they want, or the refresh has ended. */
  #look(): void {
    const { source, clock } = this.#ports
    const { hand } = source
    const now = clock.now()
    const isOver = this.#wasRefreshing && !isRefreshing(hand)
    this.#wasRefreshing = isRefreshing(hand)
    for (const waiter of [...this.#waiters]) {
      if (isOver || waitUntil(waiter.want, hand, now, waiter.deadline) === undefined) this.#answer(waiter)
    }
  }

  #answer(waiter: Waiter): void {
    const { source, clock } = this.#ports
    if (this.#forget(waiter)) waiter.reply(answerOf(waiter.want, source.hand, clock.now()))
  }

  #forget(waiter: Waiter): boolean {
    waiter.cancelTimer()
    return this.#waiters.delete(waiter)
  }
}
