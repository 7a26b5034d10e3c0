import type { Clock } from '../session/ports.ts'
import type { Notice } from './notification-model.ts'

interface NotifierPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Shows one, and tells when it is gone, whoever closed it; returns how to close it. */
  readonly show: (notice: Notice, onGone: () => void) => () => void
  /** Whether the user is looking at the window, which says it already. */
  readonly isWatched: () => boolean
}

/** The notice that is shown. */
interface Standing {
  readonly subject: string
  /** Since when, on the Clock. */
  readonly since: number
  close(): void
}

/** The same isn't said again within this time, nor does a notice give way to another: milliseconds. */
const QUIET = 60 * 60_000

/**
 * Says what waits for the user: one notice at a time, each subject at most once an hour, and closed as soon as it is
 * no longer true. What may not be said yet is said later, if it is still true then: when the notice that stands there
 * is gone, or its hour is over. What the user saw in the window is said an hour later, if it still waits.
 */
export class Notifier {
  readonly #ports: NotifierPorts
  /** When each subject was last said, on the Clock. */
  readonly #saidAt = new Map<string, number>()
  /** What was said, and has been true ever since. */
  readonly #told = new Set<string>()
  #notices: readonly Notice[] = []
  #standing: Standing | undefined
  #cancelTimer: (() => void) | undefined
  #isStopped = false

  constructor(ports: NotifierPorts) {
    this.#ports = ports
  }

  /** Tells all that is true now, the most pressing first. */
  render(notices: readonly Notice[]): void {
    this.#notices = this.#isStopped ? [] : notices
    const keys = new Set(this.#notices.map(keyOf))
    for (const key of this.#told) if (!keys.has(key)) this.#told.delete(key)
    if (!this.#notices.some((notice) => subjectOf(notice) === this.#standing?.subject)) this.#takeBack()
    this.#sayNext()
  }

  /** Closes what stands there, and says no more. */
  stop(): void {
    this.#isStopped = true
    this.render([])
  }

  #sayNext(): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const untold = this.#notices.filter((notice) => !this.#told.has(keyOf(notice)))
    const [next] = untold.sort((one, other) => this.#dueAt(one) - this.#dueAt(other))
    if (next === undefined) return
    if (this.#dueAt(next) > clock.now()) {
      this.#cancelTimer = clock.at(this.#dueAt(next), () => this.#sayNext())
      return
    }
    this.#say(next)
    this.#sayNext()
  }

  #say(notice: Notice): void {
    const { clock, show, isWatched } = this.#ports
    const subject = subjectOf(notice)
    this.#saidAt.set(subject, clock.now())
    if (isWatched()) return
    this.#takeBack()
    this.#told.add(keyOf(notice))
    const standing: Standing = { subject, since: clock.now(), close: () => {} }
    this.#standing = standing
    standing.close = show(notice, () => {
      if (this.#standing !== standing) return
      this.#standing = undefined
      this.#sayNext()
    })
  }

  /** From when on it may be said; 0 where nothing keeps it. */
  #dueAt(notice: Notice): number {
    const saidAt = this.#saidAt.get(subjectOf(notice))
    const times = [saidAt, this.#standing?.since].filter((time) => time !== undefined)
    return times.length === 0 ? 0 : Math.max(...times) + QUIET
  }

  #takeBack(): void {
    const standing = this.#standing
    this.#standing = undefined
    standing?.close()
  }
}

/** Two notices of one subject ask the user for the same. */
const subjectOf = ({ topic, connection }: Notice): string => `${topic} ${connection}`

/** Two notices of one key say the same. */
const keyOf = (notice: Notice): string => `${subjectOf(notice)} ${notice.hasEnded === true}`
