import type { Clock } from '../session/ports.ts'
import type { Notice } from './notification-model.ts'

interface NotifierPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Shows one; returns how to close it. */
  readonly show: (notice: Notice) => () => void
  /** Whether the user is looking at the window, which says it already. */
  readonly isWatched: () => boolean
}

/** The same isn't said again within this time: milliseconds. */
const QUIET = 60 * 60_000

/**
 * Says what waits for the user: one notice at a time, each topic at most once an hour, and closed as soon as it is
 * no longer true. What comes up again within the hour is said at its end, if it is still true then.
 */
export class Notifier {
  readonly #ports: NotifierPorts
  readonly #said = new Map<string, number>()
  #notice: Notice | undefined
  #takeBack: (() => void) | undefined

  constructor(ports: NotifierPorts) {
    this.#ports = ports
  }

  /** Tells what is true now; `undefined` where nothing waits for the user. */
  render(notice: Notice | undefined): void {
    const isSame = keyOf(notice) === keyOf(this.#notice)
    this.#notice = notice
    if (isSame) return
    this.#takeBack?.()
    this.#takeBack = undefined
    if (notice !== undefined) this.#say(keyOf(notice))
  }

  stop(): void {
    this.render(undefined)
  }

  #say(key: string): void {
    const { clock, show, isWatched } = this.#ports
    const said = this.#said.get(key)
    const from = said === undefined ? clock.now() : said + QUIET
    if (from > clock.now()) {
      this.#takeBack = clock.at(from, () => this.#say(key))
      return
    }
    this.#said.set(key, clock.now())
    if (this.#notice !== undefined && !isWatched()) this.#takeBack = show(this.#notice)
  }
}

/** Two notices of one topic about one connection are the same to the user. */
const keyOf = (notice: Notice | undefined): string => `${notice?.topic} ${notice?.connection}`
