import { expect, test } from 'vitest'
import type { SessionView } from '../preload/contract.ts'
import { type Opened, type Screen, screenOf, stillOpened } from './screen.ts'

type Kind = SessionView['kind']

/** Without a form opened, with the sign-in form, with the connection form. */
const table: Record<Kind, readonly [Screen, Screen, Screen]> = {
  notConfigured: ['connection', 'connection', 'connection'],
  restoring: ['waiting', 'waiting', 'waiting'],
  keychainLocked: ['keychainLocked', 'signIn', 'keychainLocked'],
  signedOut: ['signIn', 'signIn', 'connection'],
  signingIn: ['signIn', 'signIn', 'signIn'],
  active: ['session', 'session', 'session'],
  unreachable: ['session', 'session', 'session'],
  ending: ['session', 'signIn', 'session'],
  expired: ['signIn', 'signIn', 'signIn'],
}

test.each(Object.entries(table))('%s is shown on its screen, whatever is opened', (kind, screens) => {
  const opened: readonly Opened[] = [undefined, 'signIn', 'connection']
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
})
