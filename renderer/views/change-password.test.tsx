import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import {
  alerted,
  button,
  callsOf,
  choose,
  failed,
  field,
  ok,
  openWindow,
  press,
  pressEscape,
  sessions,
  title,
  type,
  viewOf,
} from '../testing.tsx'

const CURRENT = 'old-harbour-3'
const GOOD = 'giraffe-lantern-7'
const LABELS = ['Current password', 'New password', 'Repeat new password'] as const
const fields = () => LABELS.map((label) => field(label))
const typed = () => fields().map(({ value }) => value)

const openForm = async () => {
  const window = await openWindow(viewOf(sessions.active))
  await choose('Change password')
  return window
}
const fillIn = async (first = GOOD, second = first, current = CURRENT) => {
  await type('Current password', current)
  await type('New password', first)
  await type('Repeat new password', second)
}

const submitted = async () => {
  const window = await openForm()
  await fillIn()
  await press('Change password')
  return window
}

test('the fields and the button have the names and types that a password manager needs', async () => {
  await openForm()
  expect(fields().map(({ autocomplete }) => autocomplete)).toEqual(['current-password', 'new-password', 'new-password'])
  expect(fields().map(({ type }) => type)).toEqual(['password', 'password', 'password'])
  const username = document.querySelector<HTMLInputElement>('input[autocomplete=username]')
  expect([username?.value, username?.hidden]).toEqual(['ana', true])
  expect(button('Change password').type).toBe('submit')
})

test('the form sends the typed passwords unchanged, once, and closes after a success', async () => {
  const { asked } = await openForm()
  await fillIn(' spaces stay ', ' spaces stay ', ' here too ')
  await press('Change password')
  await press('Changing…')
  expect(callsOf(asked)).toEqual([['changePassword', { currentPassword: ' here too ', password: ' spaces stay ' }]])
  await asked[0]?.answer(ok)
  expect(title()).toBe('Ready for your tools')
  expect(screen.getByText('Password changed.').closest('[role=status]')).toBeTruthy()
  await choose('Change password')
  expect(screen.queryByText('Password changed.')).toBeNull()
})

test.each([
  ['', GOOD, GOOD, 'Enter your current password.', 'Current password'],
  [CURRENT, GOOD, 'giraffe', 'The passwords don’t match.', 'Repeat new password'],
])('wrong input isn’t sent: %j, %j, %j', async (current, first, second, sentence, focused) => {
  const { asked } = await openForm()
  await fillIn(first, second, current)
  await press('Change password')
  expect([asked, alerted(), document.activeElement]).toEqual([[], sentence, field(focused)])
  expect(field(focused).getAttribute('aria-invalid')).toBe('true')
  await type(focused, 'x')
  expect(alerted()).toBeNull()
})

test('a refused new password is kept and selected, and from then on the form shows the service’s rule', async () => {
  const { asked } = await submitted()
  await asked[0]?.answer(failed({ code: 'passwordRefused', serverText: 'At least 14 characters.' }))
  expect(alerted()).toContain('The service says: At least 14 characters.')
  const { selectionStart, selectionEnd } = field('New password')
  expect([typed(), document.activeElement]).toEqual([[CURRENT, GOOD, GOOD], field('New password')])
  expect([selectionStart, selectionEnd]).toEqual([0, GOOD.length])
  await press('Back')
  await choose('Change password')
  const [, rule = ''] = field('New password').getAttribute('aria-describedby')?.split(' ') ?? []
  expect(document.getElementById(rule)?.textContent).toBe('The service says: At least 14 characters.')
})

test.each([
  ['goes back', 'Ready for your tools', () => press('Back')],
  ['presses Escape', 'Ready for your tools', () => pressEscape()],
  [
    'is signed out',
    'Sign in',
    (show: Awaited<ReturnType<typeof openForm>>['show']) => show(viewOf(sessions.signedOut)),
  ],
] as const)('SECURITY: when the user %s, the form closes and its fields are emptied', async (_, heading, leave) => {
  const { show } = await openForm()
  await fillIn()
  const left = fields()
  await leave(show)
  expect([title(), left.map(({ value }) => value)]).toEqual([heading, ['', '', '']])
})

test('SECURITY: no attribute or text of the page contains a password', async () => {
  await submitted()
  for (const each of [CURRENT, GOOD]) expect(document.documentElement.outerHTML).not.toContain(each)
})
