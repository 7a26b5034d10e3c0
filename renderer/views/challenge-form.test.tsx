import { act, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import type { ChallengeDescription } from '../../contract/challenges.ts'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import {
  button,
  callsOf,
  connection,
  field,
  NOW,
  ok,
  openWindow,
  pass,
  press,
  refused,
  sessions,
  type,
  viewOf,
  watchClipboard,
} from '../testing.tsx'

const app = { id: 'otp', kind: 'app' } as const
const phone = { id: 'sms|1', kind: 'textMessage', label: '•••• 89' } as const
const code: ChallengeDescription = { kind: 'code', authenticator: phone }
const approval: ChallengeDescription = { kind: 'approval', authenticator: { id: 'push|1', kind: 'push' } }

const asked = (challenge: ChallengeDescription, id = '1'): SessionView => ({
  kind: 'signingIn',
  challenge: { ...challenge, id, issuer: 'identityProvider' },
})
const lead = () => document.querySelector('.instruction')?.textContent

describe('the form shows what each challenge requires', () => {
  test('a challenge for a code shows where the code comes from, one field, Continue and Cancel', async () => {
    await openWindow(viewOf(asked(code)))
    expect(screen.getByRole('heading').textContent).toBe('One more step')
    expect(lead()).toBe('Enter the code from the text message (•••• 89).(ending in 89).')
    expect(field('Code').getAttribute('aria-describedby')).toBe(document.querySelector('.instruction')?.id)
    expect(field('Code').autocomplete).toBe('one-time-code')
    expect(document.activeElement).toBe(field('Code'))
    expect(button('Continue').type).toBe('submit')
    expect(button('Cancel').type).toBe('button')
    expect(screen.queryByLabelText('Password')).toBeNull()
  })

  test('the answer has the challenge’s id and the code exactly as typed', async () => {
    const window = await openWindow(viewOf(asked(code, '7')))
    await type('Code', '123 456')
    await press('Continue')
    expect(callsOf(window.asked)).toEqual([['answerChallenge', { kind: 'code', challenge: '7', code: '123 456' }]])
    expect(button('Checking…').getAttribute('aria-disabled')).toBe('true')
    await press('Checking…')
    expect(window.asked).toHaveLength(1)
  })

  test('a choice of authenticators has a button for each', async () => {
    const window = await openWindow(viewOf(asked({ kind: 'choose', options: [app, phone] })))
    expect(lead()).toBe('Choose how to confirm it’s you.')
    expect(screen.getByRole('group', { name: 'Choose how to confirm it’s you.' }).children).toHaveLength(2)
    expect(screen.getByRole('heading').getAttribute('aria-describedby')).toBe(
      document.querySelector('.instruction')?.id,
    )
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    await press(/^Text message · ending in 89$/)
    expect(callsOf(window.asked)).toEqual([['answerChallenge', { kind: 'choose', challenge: '1', option: 'sms|1' }]])
  })

  test('a new recovery code is shown until the user confirms it, even after Escape', async () => {
    const copied = watchClipboard()
    const window = await openWindow(viewOf(asked({ kind: 'newRecoveryCode' }, '4')))
    expect(callsOf(window.asked)).toEqual([['showRecoveryCode', { challenge: '4' }]])
    await window.asked[0]?.answer({ ok: true, value: 'AB12CD34' } as never)
    expect(screen.getByLabelText('New recovery code').textContent).toBe('AB12CD34')
    await press('Copy')
    expect(copied).toEqual(['AB12CD34'])
    expect(screen.getByText('Copied.').getAttribute('role')).toBe('status')
    // The button that copies comes first, because pressing the second one too early would lose the code.
    expect(button('Copy').nextElementSibling).toBe(button('I’ve saved it'))
    expect(screen.getByLabelText('New recovery code').getAttribute('aria-live')).toBe('off')
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await act(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    })
    expect(window.asked).toHaveLength(1)
    await press('I’ve saved it')
    expect(callsOf(window.asked)[1]).toEqual(['answerChallenge', { kind: 'newRecoveryCode', challenge: '4' }])
  })

  test('SECURITY: the new recovery code is removed from the page when its view closes', async () => {
    const window = await openWindow(viewOf(asked({ kind: 'newRecoveryCode' })))
    await window.asked[0]?.answer({ ok: true, value: 'AB12CD34' } as never)
    const place = screen.getByLabelText('New recovery code')
    await window.show(viewOf(sessions.signedOut))
    expect(place.textContent).toBe('')
    expect(document.body.innerHTML).not.toContain('AB12CD34')
  })

  test('for an approval, the form says that it waits, and sends the answer once without a click', async () => {
    vi.useFakeTimers()
    const window = await openWindow(viewOf(asked(approval)))
    const region = screen.getAllByRole('status').at(-1)
    expect(region?.textContent).toBe('')
    await pass(1)
    await window.show(viewOf(asked(approval)))
    expect(screen.getByText('Waiting for your approval…')).toBe(region)
    expect(lead()).toBe('Approve the sign-in on your phone.')
    expect(callsOf(window.asked)).toEqual([['answerChallenge', { kind: 'approval', challenge: '1' }]])
    await window.asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
    expect(window.asked).toHaveLength(1)
    await press('Continue')
    expect(window.asked).toHaveLength(2)
  })

  test('while a recovery code is being checked, the sign-in can’t be cancelled', async () => {
    const window = await openWindow(
      viewOf(asked({ kind: 'recoveryCode', authenticator: { id: 'recovery', kind: 'recoveryCode' } })),
    )
    await type('Recovery code', 'AB12')
    expect(button('Cancel')).toBeTruthy()
    await press('Continue')
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await act(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    })
    expect(window.asked).toHaveLength(1)
    await window.asked[0]?.answer(refused)
    await press('Cancel')
    expect(callsOf(window.asked)[1]).toEqual(['cancelSignIn', undefined])
  })
})

describe('the result of an answer', () => {
  test('a refusal clears and focuses the field, and quotes the provider’s text', async () => {
    const window = await openWindow(viewOf(asked(code)))
    await type('Code', '000000')
    await press('Continue')
    await window.asked[0]?.answer({ ok: false, failure: { code: 'rejected', serverText: 'Invalid otp_code.' } })
    expect(screen.getByRole('alert').textContent).toContain('The code was refused')
    expect(screen.getByRole('alert').textContent).toContain('Your identity provider says: Invalid otp_code.')
    expect(field('Code').value).toBe('')
    expect(document.activeElement).toBe(field('Code'))
  })

  test('a failure that ends the sign-in is shown in the sign-in form, which keeps the username', async () => {
    const both = { connection: { ...connection, grants: [GRANTS.password, GRANTS.passwordRealm] } }
    const window = await openWindow(viewOf(sessions.signedOut, both))
    await act(async () => screen.getByRole('radio', { name: 'Single sign-on' }).click())
    await type('Username', 'ana')
    await type('Password', 'longenough')
    await press('Sign in')
    await window.show(viewOf(asked(code), both))
    await window.asked[0]?.answer(ok)
    await type('Code', '000000')
    await press('Continue')
    await window.show(viewOf(sessions.signedOut, both))
    await window.asked[1]?.answer({ ok: false, failure: { code: 'rateLimited' } })
    expect(screen.getByRole('alert').textContent).toContain('Too many attempts')
    expect(screen.getByRole('radio', { name: 'Single sign-on', checked: true })).toBeTruthy()
    expect(field('Username').value).toBe('ana')
    expect(field('Password').value).toBe('')
    expect(document.activeElement).toBe(field('Password'))
    await type('Password', 'longenough')
    await press('Sign in')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('if a sign-in fails while another screen is open, the window says why until the next sign-in starts', async () => {
    const window = await openWindow(viewOf(asked(approval)))
    await press('Settings')
    await press('Help and about')
    await window.show(viewOf(sessions.signedOut))
    await window.asked[0]?.answer({ ok: false, failure: { code: 'interactionRequired', problem: 'stepExpired' } })
    for (const _ of [1, 2]) {
      expect(screen.getByRole('alert').textContent).toContain('That took too long')
      await press('Back')
    }
    expect(screen.getByRole('alert').textContent).toContain('That took too long')
    await window.show(viewOf(sessions.signingIn))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('Cancel and Escape cancel the sign-in, and a late answer shows no error', async () => {
    const window = await openWindow(viewOf(sessions.signedOut))
    await window.show(viewOf(asked(approval)))
    await press('Cancel')
    await window.show(viewOf(sessions.signedOut))
    await window.asked[0]?.answer({ ok: false, failure: { code: 'sessionEnded' } })
    expect(callsOf(window.asked)[1]).toEqual(['cancelSignIn', undefined])
    expect(screen.queryByRole('alert')).toBeNull()
    await window.show(viewOf(asked(code, '2')))
    await act(async () => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    expect(callsOf(window.asked)[2]).toEqual(['cancelSignIn', undefined])
  })
})

describe('SECURITY: nothing keeps what was typed', () => {
  test('the password’s field is emptied and removed when a challenge opens', async () => {
    const window = await openWindow(viewOf(sessions.signedOut))
    await type('Username', 'ana')
    await type('Password', 'longenough')
    await press('Sign in')
    const input = field('Password')
    await window.show(viewOf(asked(code)))
    expect(input.isConnected).toBe(false)
    expect(input.value).toBe('')
  })

  test('a code’s field is emptied after the answer, and when the next challenge replaces it', async () => {
    const window = await openWindow(viewOf(asked(code)))
    await type('Code', '123456')
    await press('Continue')
    const input = field('Code')
    await window.show(viewOf(asked(code, '2')))
    expect(input.isConnected).toBe(false)
    expect(input.value).toBe('')
    expect(field('Code').value).toBe('')
    await window.asked[0]?.answer(ok)
    await type('Code', '654321')
    await press('Continue')
    await window.asked[1]?.answer(refused)
    expect(field('Code').value).toBe('')
  })
})

describe('a sign-in in the browser', () => {
  const browser = asked({ kind: 'browser' }, '3')
  const waits = ['answerChallenge', { kind: 'browser', challenge: '3' }] as const

  test('the window says at once that it waits for the browser, and offers to open it again', async () => {
    const window = await openWindow(viewOf(browser))
    expect(screen.getByRole('heading').textContent).toBe('Continue in your browser')
    expect(callsOf(window.asked)).toEqual([waits])
    await window.show(viewOf(browser))
    await press('Open the browser again')
    expect(callsOf(window.asked)).toEqual([waits, ['reopenBrowser', { challenge: '3' }]])
    await window.asked[1]?.answer({
      ok: false,
      failure: { code: 'interactionRequired', problem: 'browserUnavailable' },
    })
    expect(screen.getByRole('alert').textContent).toContain('Your browser didn’t open')
  })

  test('if the browser was opened a moment ago, it opens again only after the wait that the window shows', async () => {
    vi.useFakeTimers({ now: NOW })
    const window = await openWindow(viewOf(browser))
    await press('Open the browser again')
    const failure = { code: 'rateLimited', problem: 'openedLately', retryAfter: 2 } as const
    await window.asked[1]?.answer({ ok: false, failure })
    expect(screen.getByRole('alert').textContent).toContain('Latchkey has just opened your browser')
    expect(screen.getByRole('alert').textContent).toContain('Wait 2 seconds, then try again.')
    await press('Open the browser again')
    expect(window.asked).toHaveLength(2)
    await pass(2_000)
    expect(screen.getByRole('alert').textContent).toContain('You can try again now.')
    await press('Open the browser again')
    expect(window.asked).toHaveLength(3)
  })
})
