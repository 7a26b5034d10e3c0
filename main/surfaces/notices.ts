import { nearEndOf } from '../../contract/session-end.ts'
import type { AppView, ConnectionSessionView, SignInNeed } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import type { Sentence } from '../../text/sentence.ts'
import { labelOf, needOf } from '../../text/state.ts'
import type { Clock } from '../base/clock.ts'

/**
 * `ended`: a session has ended. `needed`: a tool needs a sign-in after a sign-out. `signIn`: a session is about to end.
 * `endsSoon`: it is expected to end before the next working day is over. `keychain`: it can't be stored.
 */
export type Topic = 'ended' | 'needed' | 'signIn' | 'endsSoon' | 'keychain' | 'noTray'

export interface Notice extends Sentence {
  readonly topic: Topic
  readonly connection?: string
  /** Only for `endsSoon`; in milliseconds since the epoch. */
  readonly end?: number
}

interface NotificationContext {
  /** The time by the wall clock, in milliseconds since the epoch. */
  readonly now: number
  readonly hasNoTray: boolean
  readonly isTold: (connection: string, end: number) => boolean
}

export function notificationModel(
  view: Pick<AppView, 'connections' | 'needs'>,
  texts: Texts,
  { now, hasNoTray, isTold }: NotificationContext,
): readonly Notice[] {
  const ofSessions = view.connections.flatMap((each): readonly Notice[] => {
    const notice = sessionNotice(each, needOf(view, each), texts, now, isTold)
    return notice === undefined ? [] : [{ ...notice, connection: each.name }]
  })
  return hasNoTray ? [...ofSessions, { topic: 'noTray', ...texts.tray.noTray }] : ofSessions
}

function sessionNotice(
  { name, session, connection }: ConnectionSessionView,
  need: SignInNeed | undefined,
  { notifications, sessionEnd }: Texts,
  now: number,
  isTold: NotificationContext['isTold'],
): Notice | undefined {
  const host = connection?.host
  switch (session.kind) {
    case 'ending': {
      const { expiresAt, refreshesAt } = session.token
      // Without a refresh token, the end of a session is expected, so it isn't reported as an error.
      const say = refreshesAt === undefined ? notifications.aboutToEnd : notifications.ending
      return { topic: 'signIn', ...say(host, expiresAt, now) }
    }
    case 'expired':
    case 'signedOut':
    case 'unknownVersion':
    case 'sessionUnread': {
      // The notice of an ended session names the tool that needs a sign-in, so the user gets one notice, not two.
      const hasEnded = session.kind === 'expired' || (session.kind === 'signedOut' && session.failure !== undefined)
      if (need === undefined) return hasEnded ? { topic: 'ended', ...notifications.ended(host) } : undefined
      const [waiting] = need.waiting
      const say = waiting === undefined ? notifications.asked : notifications.waiting
      return { topic: hasEnded ? 'ended' : 'needed', ...say(labelOf(waiting ?? need.first), host) }
    }
    case 'active':
    case 'unreachable': {
      if (session.kept === 'unsaved') return { topic: 'keychain', ...notifications.unsaved }
      const near = nearEndOf(session, now)
      if (near === undefined || isTold(name, near.at)) return undefined
      return { topic: 'endsSoon', end: near.at, ...sessionEnd.notification(host, near.at, now) }
    }
    case 'notConfigured':
    case 'restoring':
    case 'signingIn':
      return undefined
  }
}

export function nextWarning({ connections }: Pick<AppView, 'connections'>, now: number): number | undefined {
  const times = connections.flatMap(({ session }) => {
    const end = 'end' in session ? session.end : undefined
    return end?.kind === 'expected' && end.warnsAt !== undefined && end.warnsAt > now ? [end.warnsAt] : []
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

interface NotifierPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Calls `onGone` when the notification has disappeared for any reason. Returns a function that closes it. */
  readonly show: (notice: Notice, onGone: () => void) => () => void
  readonly isWatched: () => boolean
}

interface Shown {
  readonly subject: string
  readonly topic: Topic
  /** The time on the `Clock` at which the notice was shown. */
  readonly since: number
  close(): void
}

/** The shortest time before a notice is repeated, and before another notice replaces it. */
const QUIET_MS = 60 * 60_000

const URGENT: readonly Topic[] = ['ended', 'needed']

/**
 * Shows one notice at a time. The next one waits until this one has disappeared or been on screen for an hour, unless
 * only the next one is `URGENT`. None is repeated within an hour, unless the connection's next session ends, too.
 */
export class Notifier {
  readonly #ports: NotifierPorts
  /** When, on the `Clock`, the user last saw the notice on each subject, or the same message in the window. */
  readonly #seen = new Map<string, { readonly at: number; readonly topic: Topic }>()
  readonly #done = new Set<string>()
  #notices: readonly Notice[] = []
  #current: Shown | undefined
  #cancelTimer: (() => void) | undefined

  constructor(ports: NotifierPorts) {
    this.#ports = ports
  }

  /** If the user cancels a sign-in (`signingIn`), the notice of that connection's ended session isn't shown again. */
  render(notices: readonly Notice[], signingIn: readonly string[] = []): void {
    this.#notices = notices
    const subjects = new Set(this.#notices.map(subjectOf))
    for (const connection of signingIn) for (const topic of URGENT) subjects.add(subjectOf({ topic, connection }))
    for (const subject of this.#done) if (!subjects.has(subject)) this.#done.delete(subject)
    // If the connection's next session also ends, the user is notified even within the hour.
    for (const [subject, { topic }] of this.#seen) {
      if (topic === 'ended' && !subjects.has(subject)) this.#seen.delete(subject)
    }
    if (!this.#notices.some((notice) => subjectOf(notice) === this.#current?.subject)) this.#close()
    this.#showNext()
  }

  #showNext(): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const waiting = this.#notices.filter((notice) => !this.#done.has(subjectOf(notice)))
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
    const { topic } = notice
    const subject = subjectOf(notice)
    this.#seen.set(subject, { at: clock.now(), topic })
    if (isWatched()) return
    this.#close()
    this.#done.add(subject)
    const current: Shown = { subject, topic, since: clock.now(), close: () => {} }
    this.#current = current
    current.close = show(notice, () => {
      if (this.#current !== current) return
      this.#current = undefined
      this.#showNext()
    })
  }

  /** The earliest time on the `Clock` to show the notice, or 0 if it can be shown at once. */
  #dueAt(notice: Notice): number {
    const current = this.#current
    const isReplaced = URGENT.includes(notice.topic) && current !== undefined && !URGENT.includes(current.topic)
    const since = isReplaced ? undefined : current?.since
    const times = [this.#seen.get(subjectOf(notice))?.at, since].filter((time) => time !== undefined)
    return times.length === 0 ? 0 : Math.max(...times) + QUIET_MS
  }

  #close(): void {
    const current = this.#current
    this.#current = undefined
    current?.close()
  }
}

const subjectOf = ({ topic, connection }: Pick<Notice, 'topic' | 'connection'>): string => `${topic} ${connection}`
