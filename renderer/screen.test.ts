import { expect, test } from 'vitest'
import type { SessionView } from '../contract/views.ts'
import { type Opened, type Screen, screenOf, stillOpened } from './screen.ts'

type Kind = SessionView['kind']

/**
 * For each state: the screen without an opened form, with the sign-in form opened, and with the password form opened.
 */
const table: Record<Kind, readonly [Screen, Screen, Screen]> = {
  notConfigured: ['connection', 'connection', 'connection'],
  restoring: ['waiting', 'signIn', 'waiting'],
  sessionUnread: ['sessionUnread', 'signIn', 'sessionUnread'],
  unknownVersion: ['unknownVersion', 'signIn', 'unknownVersion'],
  signedOut: ['signIn', 'signIn', 'signIn'],
  signingIn: ['signIn', 'signIn', 'signIn'],
  active: ['session', 'session', 'changePassword'],
  unreachable: ['session', 'signIn', 'changePassword'],
  ending: ['session', 'signIn', 'changePassword'],
  expired: ['signIn', 'signIn', 'signIn'],
}
const kinds = Object.keys(table) as Kind[]

test.each(Object.entries(table))('the state %s is shown on the screens that the table lists', (kind, screens) => {
  const opened: readonly Opened[] = [undefined, 'signIn', 'changePassword']
  expect(opened.map((form) => screenOf(kind as Kind, form))).toEqual(screens)
})

test('an opened form only stays open in states where it can still be used', () => {
  expect(kinds.filter((kind) => stillOpened(kind, 'signIn'))).toEqual([
    'restoring',
    'sessionUnread',
    'unknownVersion',
    'signingIn',
    'unreachable',
    'ending',
    'expired',
  ])
  expect(kinds.filter((kind) => stillOpened(kind, 'changePassword'))).toEqual(['active', 'unreachable', 'ending'])
})
