/** How long the session lasts, and what ends it. Times are milliseconds since the epoch. */
import type { IssuerKind } from '../../contract/grants.ts'
import type { Format } from '../format.ts'
import type { Sentence } from '../sentence.ts'
import type { EnKeychain } from './keychain.ts'

type SaidBy = IssuerKind | 'earlierSessions'

export const enSessionEnd = (format: Format, keychain: EnKeychain) => ({
  until: (at: number, now: number, by: SaidBy): string =>
    `You stay signed in until about ${format.moment(at, now)}, ${
      {
        service: 'as your service says',
        identityProvider: 'as your identity provider says',
        earlierSessions: 'as your last sessions did',
      }[by]
    }.`,
  atLeast: (at: number, now: number): string => `You stay signed in at least until ${format.moment(at, now)}.`,
  noLimit: 'You stay signed in: your identity provider sets no limit.',
  notKnown: (by: IssuerKind): string =>
    `Your ${by === 'service' ? 'service' : 'identity provider'} doesn’t say when your session ends.`,
  /** Shown from the morning of the last working day before the end. */
  soon: (at: number, now: number): string => `Your session ends at about ${format.moment(at, now)}`,
  soonBody: (by: SaidBy): string =>
    `${
      {
        service: 'Your service says so',
        identityProvider: 'Your identity provider says so',
        earlierSessions: 'That is how long your last sessions lasted',
      }[by]
    }. Sign in again before then, and your tools keep running.`,
  notification: (host: string | undefined, at: number, now: number): Sentence => ({
    title: 'Your session ends soon',
    body: `Your session with ${host ?? 'the service'} ends at about ${format.moment(at, now)}. Sign in again before then, and your tools keep running.`,
  }),
  whatEnds: {
    heading: 'What ends your session',
    ends: [
      'You sign out, here or with latchkey sign-out.',
      'You sign in as someone else, or remove the connection.',
      `You quit Latchkey while the session isn’t saved in ${keychain.your}.`,
      'The session reaches the limit that your service or identity provider sets.',
      'Your password is changed elsewhere, if the provider then ends all sessions.',
      'Your administrator removes the connection.',
      `Its entry is removed from ${keychain.your} while Latchkey isn’t running.`,
    ],
    keepsHeading: 'What doesn’t end it',
    keeps: [
      `Closing the window, or quitting Latchkey while the session is saved in ${keychain.your}.`,
      `Logging out of the desktop, or a restart, if the session is saved in ${keychain.your}.`,
      'Sleep. But many providers end a session that isn’t renewed for a long time.',
      'The network, VPN or service being away, even for hours.',
      'Changing your password in Latchkey.',
    ],
  },
})
