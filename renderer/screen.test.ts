import { expect, test } from 'vitest'
import type { SessionView } from '../preload/contract.ts'
import { type Opened, type Screen, screenOf, stillOpened } from './screen.ts'

type Kind = SessionView['kind']

/** Without a form opened, with the sign-in form, with the connection form, with the password form. */
const table: Record<Kind, readonly [Screen, Screen, Screen, Screen]> = {
  notConfigured: ['connection', 'connection', 'connection', 'connection'],
  restoring: ['waiting', 'waiting', 'waiting', 'waiting'],
  keychainLocked: ['keychainLocked', 'signIn', 'keychainLocked', 'keychainLocked'],
  signedOut: ['signIn', 'signIn', 'connection', 'signIn'],
  signingIn: ['signIn', 'signIn', 'signIn', 'signIn'],
  active: ['session', 'session', 'session', 'changePassword'],
  unreachable: ['session', 'session', 'session', 'changePassword'],
  ending: ['session', 'signIn', 'session', 'changePassword'],
  expired: ['signIn', 'signIn', 'signIn', 'signIn'],
}

test.each(Object.entries(table))('%s is shown on its screen, whatever is opened', (kind, screens) => {
  const opened: readonly Opened[] = [undefined, 'signIn', 'connection', 'changePassword']
  expect(opened.map((form) => screenOf(kind as Kind, form))).toEqual(screens)
})

test('an opened form survives only where the session leaves it something to do', () => {
  const kinds = Object.keys(table) as Kind[]
  expect(kinds.filter((kind) => stillOpened(kind, 'signIn'))).toEqual([
    'keychainLocked',
    'signingIn',
    'ending',
    'expired',
  ])
  expect(kinds.filter((kind) => stillOpened(kind, 'connection'))).toEqual(['signedOut'])
  expect(kinds.filter((kind) => stillOpened(kind, 'changePassword'))).toEqual(['active', 'unreachable', 'ending'])
})
