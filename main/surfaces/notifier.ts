import type { Clock } from '../session/ports.ts'
import type { Notice } from './notification-model.ts'

interface NotifierPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Shows one, and calls `onGone` when it is gone, whoever closed it; returns how to close it. */
  readonly show: (notice: Notice, onGone: () => void) => () => void
  /** Whether the user is looking at the window, which shows the same. */
  readonly isWatched: () => boolean
}

/** The notice that is shown. */
interface Shown {
  readonly subject: string
  /** On the Clock. */
  readonly since: number
  close(): void
}

/** A subject isn't repeated within this time, and a notice isn't replaced by another. */
const QUIET_MS = 60 * 60_000

/**
 * Shows one notice at a time, each subject at most once an hour, and closes it as soon as it is no longer true. A notice
 * that has to wait is shown when the current one is gone or its hour is over, if it is still true then. What the user
 * saw in the window is shown an hour later, if it is still true.
 */
export class Notifier {
  readonly #ports: NotifierPorts
  /** When the user last saw each subject, here or in the window; on the Clock. */
  readonly #seenAt = new Map<string, number>()
  /** Notices that were shown and have been true ever since. */
  readonly #done = new Set<string>()
  #notices: readonly Notice[] = []
  #current: Shown | undefined
  #cancelTimer: (() => void) | undefined
  #isStopped = false

  constructor(ports: NotifierPorts) {
    this.#ports = ports
  }

  /** @param notices All that are true now, the most urgent first. */
  render(notices: readonly Notice[]): void {
    this.#notices = this.#isStopped ? [] : notices
    const keys = new Set(this.#notices.map(keyOf))
    for (const key of this.#done) if (!keys.has(key)) this.#done.delete(key)
    if (!this.#notices.some((notice) => subjectOf(notice) === this.#current?.subject)) this.#close()
    this.#showNext()
  }

  /** Closes what is shown, and shows no more. */
  stop(): void {
    this.#isStopped = true
    this.render([])
  }

  #showNext(): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const waiting = this.#notices.filter((notice) => !this.#done.has(keyOf(notice)))
    const [next] = waiting.sort((one, other) => this.#dueAt(one) - this.#dueAt(other))
    if (next === undefined) return
    if (this.#dueAt(next) > clock.now()) {
      this.#cancelTimer = clock.at(this.#dueAt(next), () => this.#showNext())
      return
    }
    this.#show(next)
    this.#showNext()
  }

  #show(notice: Notice): void {
    const { clock, show, isWatched } = this.#ports
    const subject = subjectOf(notice)
    this.#seenAt.set(subject, clock.now())
    if (isWatched()) return
    this.#close()
    this.#done.add(keyOf(notice))
    const current: Shown = { subject, since: clock.now(), close: () => {} }
    this.#current = current
    current.close = show(notice, () => {
      if (this.#current !== current) return
      this.#current = undefined
      this.#showNext()
    })
  }

  /** When it may be shown, on the Clock; 0 if it may be shown at once. */
  #dueAt(notice: Notice): number {
    const seenAt = this.#seenAt.get(subjectOf(notice))
    const times = [seenAt, this.#current?.since].filter((time) => time !== undefined)
    return times.length === 0 ? 0 : Math.max(...times) + QUIET_MS
  }

  #close(): void {
    const current = this.#current
    this.#current = undefined
    current?.close()
  }
}

/** Two notices of one subject ask the user for the same thing. */
const subjectOf = ({ topic, connection }: Notice): string => `${topic} ${connection}`

/** Two notices of one key say the same. */
const keyOf = (notice: Notice): string => `${subjectOf(notice)} ${notice.hasEnded === true}`
