import { fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import { FAILURE_CODES, type FailureCode } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { button, choose, field, ok, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

const CURRENT = 'old-harbour-3'
const GOOD = 'giraffe-lantern-7'
const LABELS = ['Current password', 'New password', 'Repeat new password'] as const
const { active } = sessions
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const refusal = (serverText: string) => ({ ok: false, failure: { code: 'passwordRefused', serverText } }) as const

const openForm = async () => {
  const window = await openWindow(viewOf(active))
  await choose('Change password')
  return window
}
const fillIn = async (first = GOOD, second = first, current = CURRENT) => {
  await type('Current password', current)
  await type('New password', first)
  await type('Repeat new password', second)
}

/** Opens the form, fills it in and presses Change password. */
const submitted = async () => {
  const window = await openForm()
  await fillIn()
  await press('Change password')
  return window
}

test('the fields and the button have the names and types that a password manager needs', async () => {
  await openForm()
  expect(heading()).toBe('Change password')
  expect(LABELS.map((label) => field(label).autocomplete)).toEqual(['current-password', 'new-password', 'new-password'])
  for (const label of LABELS) expect(field(label).type).toBe('password')
  const username = document.querySelector<HTMLInputElement>('input[autocomplete=username]')
  expect(username?.value).toBe('ana')
  expect(username?.hidden).toBe(true)
  expect(button('Change password').type).toBe('submit')
  expect(document.activeElement).toBe(field('Current password'))
})

describe('changing', () => {
  test('the form sends the typed passwords unchanged, and only once', async () => {
    const { asked } = await openForm()
    await fillIn(' spaces stay ', ' spaces stay ', ' here too ')
    await press('Change password')
    await press('Changing…')
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['changePassword', { currentPassword: ' here too ', password: ' spaces stay ' }],
    ])
  })

  test.each([
    ['', GOOD, GOOD, 'Enter your current password.', 'Current password'],
    [CURRENT, '', '', 'Enter a new password.', 'New password'],
    [CURRENT, GOOD, '', 'Enter the new password again.', 'Repeat new password'],
    [CURRENT, GOOD, 'giraffe', 'The passwords don’t match.', 'Repeat new password'],
  ])('wrong input isn’t sent: %j, %j, %j', async (current, first, second, sentence, focused) => {
    const { asked } = await openForm()
    await fillIn(first, second, current)
    await press('Change password')
    expect(asked).toEqual([])
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    expect(document.activeElement).toBe(field(focused))
    expect(field(focused).getAttribute('aria-invalid')).toBe('true')
    await type(focused, 'x')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field(focused).getAttribute('aria-invalid')).toBe('false')
  })

  test('after a success, the form closes, and a message says so until another view opens', async () => {
    const { asked } = await submitted()
    await asked[0]?.answer(ok)
    expect(heading()).toBe('Ready for your tools')
    expect(screen.getByText('Password changed.').closest('[role=status]')).toBeTruthy()
    await choose('Change password')
    expect(screen.queryByText('Password changed.')).toBeNull()
    await press('Back')
    expect(screen.queryByText('Password changed.')).toBeNull()
  })

  test('the form stays open if the state of the session changes while it waits', async () => {
    const { asked, show } = await submitted()
    await show(viewOf({ ...active, refresh: 'running' }))
    await show(viewOf(sessions.unreachable))
    await show(viewOf(sessions.ending))
    await asked[0]?.answer({ ok: false, failure: { code: 'sessionEnded' } })
    expect(screen.getByRole('alert').textContent).toContain('The password is unchanged.')
  })
})

describe('a failed change', () => {
  test.each([undefined, 'Wrong password.'])(
    'a wrong current password is reported at its field, and all typed text stays: %j',
    async (serverText) => {
      const { asked } = await submitted()
      button('Changing…').focus()
      await asked[0]?.answer({ ok: false, failure: { code: 'rejected', ...(serverText && { serverText }) } })
      const current = field('Current password')
      const { id, textContent } = screen.getByRole('alert')
      expect(textContent).toBe('The current password is wrong.')
      expect([current.getAttribute('aria-invalid'), current.getAttribute('aria-describedby')]).toEqual(['true', id])
      expect(screen.queryByText(/The service says/) !== null).toBe(serverText !== undefined)
      expect(LABELS.map((label) => field(label).value)).toEqual([CURRENT, GOOD, GOOD])
      expect(document.activeElement).toBe(current)
      expect([current.selectionStart, current.selectionEnd]).toEqual([0, CURRENT.length])
      await type('Current password', 'x')
      expect(screen.queryByRole('alert')).toBeNull()
    },
  )

  test('a refusal shows the server’s text, and selects the new password', async () => {
    const { asked } = await submitted()
    button('Changing…').focus()
    await asked[0]?.answer(refusal('At least 14 characters.'))
    expect(screen.getByRole('alert').textContent).toContain('The service says: At least 14 characters.')
    expect(LABELS.map((label) => field(label).value)).toEqual([CURRENT, GOOD, GOOD])
    const next = field('New password')
    expect(document.activeElement).toBe(next)
    expect([next.selectionStart, next.selectionEnd]).toEqual([0, GOOD.length])
  })

  test('the service’s rule for passwords is shown from then on, even if the form is opened again', async () => {
    const { asked } = await openForm()
    const rule = () => {
      const id = field('New password').getAttribute('aria-describedby')?.split(' ').at(-1) ?? ''
      return document.getElementById(id)?.textContent
    }
    expect(rule()).toBe('A few unusual words make a strong password.')
    await fillIn()
    await press('Change password')
    await asked[0]?.answer(refusal('At least 14 characters.'))
    expect(screen.getAllByText('At least 14 characters.')).toHaveLength(1)
    await press('Change password')
    expect(rule()).toBe('The service says: At least 14 characters.')
    await press('Back')
    await choose('Change password')
    expect(rule()).toBe('The service says: At least 14 characters.')
  })

  test('SECURITY: the server’s text is shown as text, never as markup', async () => {
    const { asked } = await submitted()
    await asked[0]?.answer(refusal('<img src=x onerror=alert(1)> <b>call 555</b>'))
    expect(screen.getByRole('alert').querySelector('img, b')).toBeNull()
  })

  test.each(FAILURE_CODES.filter((code) => code !== 'passwordRefused' && code !== 'rejected'))(
    'after any other failure, the typed text stays: %s',
    async (code: FailureCode) => {
      const { asked } = await submitted()
      await asked[0]?.answer({ ok: false, failure: { code } })
      const { textContent } = screen.getByRole('alert')
      expect(textContent).toMatch(/^[A-Z].{15,}\./)
      expect(textContent).not.toContain(code)
      expect(LABELS.map((label) => field(label).value)).toEqual([CURRENT, GOOD, GOOD])
    },
  )
})

describe('going back', () => {
  test.each([
    ['Back', () => press('Back')],
    ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ] as const)('with %s empties the fields', async (_, leave) => {
    await openForm()
    await fillIn()
    const fields = LABELS.map((label) => field(label))
    await leave()
    expect(heading()).toBe('Ready for your tools')
    expect(fields.map(({ value }) => value)).toEqual(['', '', ''])
  })

  test('when the session is signed out elsewhere, the form closes and its fields are emptied', async () => {
    const { show } = await openForm()
    await fillIn()
    const fields = LABELS.map((label) => field(label))
    await show(viewOf(sessions.signedOut))
    expect(heading()).toBe('Sign in')
    expect(fields.map(({ value }) => value)).toEqual(['', '', ''])
  })
})

test('no password change is offered if the identity provider manages the password', async () => {
  await openWindow(viewOf({ ...active, account: { ...active.account, grant: GRANTS.passwordRealm } }))
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
})

describe('the strength of a new password', () => {
  const advice = 'A few unusual words make a strong password.'
  const says = (text: string | RegExp) => vi.waitFor(() => expect(screen.getByText(text)).toBeTruthy(), 15_000)

  test('is announced as text until the password is deleted', async () => {
    const { asked } = await openForm()
    expect(screen.getByText(advice).getAttribute('role')).toBe('status')
    await fillIn('password1')
    await says('Very weak: too similar to a common password.')
    await fillIn()
    await says('Strong.')
    await press('Change password')
    await asked[0]?.answer(refusal('Not that one.'))
    await type('New password', '')
    await says(advice)
  })
})

test('SECURITY: no attribute or text of the page contains a password', async () => {
  await submitted()
  for (const typed of [CURRENT, GOOD]) expect(document.documentElement.outerHTML).not.toContain(typed)
})
