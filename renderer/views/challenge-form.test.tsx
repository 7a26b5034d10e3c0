import { screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import type { ChallengeDescription } from '../../contract/challenges.ts'
import type { SessionView } from '../../contract/views.ts'
import {
  alerted,
  button,
  callsOf,
  failed,
  field,
  NOW,
  openWindow,
  pass,
  press,
  pressEscape,
  refused,
  sessions,
  title,
  type,
  viewOf,
  watchClipboard,
} from '../testing.tsx'

const phone = { id: 'sms|1', kind: 'textMessage', label: '•••• 89' } as const
const code: ChallengeDescription = { kind: 'code', authenticator: phone }
const approval: ChallengeDescription = { kind: 'approval', authenticator: { id: 'push|1', kind: 'push' } }
const recovery = { kind: 'recoveryCode', authenticator: { id: 'recovery', kind: 'recoveryCode' } } as const

const challengedBy = (challenge: ChallengeDescription, id = '1'): SessionView => ({
  kind: 'signingIn',
  challenge: { ...challenge, id, issuer: 'identityProvider' },
})
const lead = () => document.querySelector('.instruction')?.textContent

describe('the form shows what each challenge requires', () => {
  test('a code has one field, and its answer has the challenge’s id and the code exactly as typed, once', async () => {
    const { asked } = await openWindow(viewOf(challengedBy(code, '7')))
    expect(lead()).toBe('Enter the code from the text message (•••• 89).(ending in 89).')
    expect(field('Code').getAttribute('aria-describedby')).toBe(document.querySelector('.instruction')?.id)
    expect([field('Code').autocomplete, document.activeElement]).toEqual(['one-time-code', field('Code')])
    await type('Code', '123 456')
    await press('Continue')
    await press('Checking…')
    expect(callsOf(asked)).toEqual([['answerChallenge', { kind: 'code', challenge: '7', code: '123 456' }]])
  })

  test('a new recovery code is shown until the user confirms it, even after Escape', async () => {
    const copied = watchClipboard()
    const { asked } = await openWindow(viewOf(challengedBy({ kind: 'newRecoveryCode' }, '4')))
    await asked[0]?.answer({ ok: true, value: 'AB12CD34' })
    expect(screen.getByLabelText('New recovery code').textContent).toBe('AB12CD34')
    await press('Copy')
    expect(copied).toEqual(['AB12CD34'])
    // The button that copies comes first, because pressing the second one too early would lose the code.
    expect(button('Copy').nextElementSibling).toBe(button('I’ve saved it'))
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await pressEscape()
    await press('I’ve saved it')
    expect(callsOf(asked)).toEqual([
      ['showRecoveryCode', { challenge: '4' }],
      ['answerChallenge', { kind: 'newRecoveryCode', challenge: '4' }],
    ])
  })

  test('for an approval, the form says that it waits, and sends the answer once without a click', async () => {
    vi.useFakeTimers()
    const { asked, show } = await openWindow(viewOf(challengedBy(approval)))
    const region = screen.getAllByRole('status').at(-1)
    expect(region?.textContent).toBe('')
    await pass(1)
    await show(viewOf(challengedBy(approval)))
    expect(screen.getByText('Waiting for your approval…')).toBe(region)
    expect(callsOf(asked)).toEqual([['answerChallenge', { kind: 'approval', challenge: '1' }]])
    await asked[0]?.answer(failed({ code: 'unreachable' }))
    expect(asked).toHaveLength(1)
    await press('Continue')
    expect(asked).toHaveLength(2)
  })

  test('while a recovery code is being checked, the sign-in can’t be cancelled', async () => {
    const { asked } = await openWindow(viewOf(challengedBy(recovery)))
    await type('Recovery code', 'AB12')
    await press('Continue')
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await pressEscape()
    expect(asked).toHaveLength(1)
    await asked[0]?.answer(refused)
    await press('Cancel')
    expect(callsOf(asked)[1]).toEqual(['cancelSignIn', undefined])
  })
})

test('if a sign-in fails while another screen is open, the window says why until the next sign-in starts', async () => {
  const { asked, show } = await openWindow(viewOf(challengedBy(approval)))
  await press('Settings')
  await show(viewOf(sessions.signedOut))
  await asked[0]?.answer(failed({ code: 'interactionRequired', problem: 'stepExpired' }))
  expect(alerted()).toContain('That took too long')
  await press('Back')
  expect(alerted()).toContain('That took too long')
  await show(viewOf(sessions.signingIn))
  expect(alerted()).toBeNull()
})

describe('SECURITY: nothing keeps what was typed or shown', () => {
  test('a password’s field is emptied when a challenge opens, and a code’s when the next one replaces it', async () => {
    const { show } = await openWindow(viewOf(sessions.signedOut))
    await type('Username', 'ana')
    await type('Password', 'longenough')
    await press('Sign in')
    const fields = [field('Password')]
    await show(viewOf(challengedBy(code)))
    await type('Code', '123456')
    await press('Continue')
    fields.push(field('Code'))
    await show(viewOf(challengedBy(code, '2')))
    expect(fields.map(({ isConnected, value }) => [isConnected, value])).toEqual(Array(2).fill([false, '']))
  })

  test('the new recovery code is removed from the page when its view closes', async () => {
    const { asked, show } = await openWindow(viewOf(challengedBy({ kind: 'newRecoveryCode' })))
    await asked[0]?.answer({ ok: true, value: 'AB12CD34' })
    const place = screen.getByLabelText('New recovery code')
    await show(viewOf(sessions.signedOut))
    expect(place.textContent).toBe('')
  })
})

test('during a sign-in in the browser, the window can open it again, after a wait if the service asks for one', async () => {
  vi.useFakeTimers({ now: NOW })
  const { asked } = await openWindow(viewOf(challengedBy({ kind: 'browser' }, '3')))
  expect(title()).toBe('Continue in your browser')
  await press('Open the browser again')
  expect(callsOf(asked)).toEqual([
    ['answerChallenge', { kind: 'browser', challenge: '3' }],
    ['reopenBrowser', { challenge: '3' }],
  ])
  await asked[1]?.answer(failed({ code: 'rateLimited', problem: 'openedLately', retryAfter: 2 }))
  expect(alerted()).toContain('Wait 2 seconds, then try again.')
  await press('Open the browser again')
  expect(asked).toHaveLength(2)
  await pass(2_000)
  await press('Open the browser again')
  expect(asked).toHaveLength(3)
})
