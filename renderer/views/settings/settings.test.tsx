import { act, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import type { SettingProblems, SettingsView } from '../../../contract/settings.ts'
import type { AppView } from '../../../contract/views.ts'
import {
  alerted,
  callsOf,
  failed,
  field,
  ok,
  openConnection,
  openSettings,
  pass,
  press,
  sessions,
  settings,
  switchesOf,
  title,
  type,
  viewOf,
} from '../../testing.tsx'

const PAUSE = 400
const { active, signedOut } = sessions
const ELSEWHERE = 'https://other.example.com'
const wrong = (fields: SettingProblems) => failed({ code: 'invalidInput', fields })
const withSettings = (over: Partial<SettingsView>): AppView => viewOf(signedOut, { settings: { ...settings, ...over } })
const describedBy = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

describe('saving', () => {
  test('Save sends only the changed values, without surrounding spaces, and returns to the list', async () => {
    const { asked } = await openConnection(withSettings({ scope: { value: 'openid', source: 'user' } }))
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    await type('Provider address', ' https://login.example.com ')
    await type('Scope', '')
    await act(async () => screen.getByRole('radio', { name: 'In the browser' }).click())
    await press('Save')
    await press('Saving…')
    expect(callsOf(asked)).toEqual([
      ['saveSettings', { authUrl: 'https://login.example.com', flow: 'browser', scope: '' }],
    ])
    await asked[0]?.answer(ok)
    expect(title()).toBe('Settings')
    expect(screen.getByText('Settings saved.').closest('[role=status]')).toBeTruthy()
    await press('Help and about')
    expect(screen.queryByText('Settings saved.')).toBeNull()
  })

  test('each refused value is marked; the first gets the focus, and its section expands', async () => {
    const { asked } = await openConnection(viewOf(signedOut))
    await type('Client ID', 'latchkey')
    await press('Save')
    await asked[0]?.answer(wrong({ scope: 'missing', authUrl: 'notHttps' }))
    expect(document.activeElement).toBe(field('Provider address'))
    expect(describedBy(field('Provider address'))).toContain('This address isn’t secure.')
    expect(describedBy(field('Scope'))).toContain('Single sign-on also needs this value.')
    expect(alerted()).toBe('Correct the 2 marked values, then save again.')
    expect(document.querySelector('details')?.open).toBe(true)
  })
})

describe('the client secret', () => {
  test('is never shown, and can be removed on saving', async () => {
    const { asked } = await openConnection(withSettings({ clientSecret: { source: 'user' } }))
    expect([field('Client secret').type, field('Client secret').value]).toEqual(['password', ''])
    expect(describedBy(field('Client secret'))).toContain('A secret is saved in your keyring.')
    await press('Remove secret')
    expect(describedBy(field('Client secret'))).toContain('The secret will be removed when you save.')
    await press('Keep the secret')
    await press('Remove secret')
    await press('Save')
    expect(callsOf(asked)).toEqual([['saveSettings', { clientSecret: '' }]])
  })

  test('SECURITY: is sent only when the user saves, isn’t in the HTML, and is deleted when the view closes', async () => {
    const { asked } = await openConnection(viewOf(signedOut))
    vi.useFakeTimers()
    await type('Client secret', 's3cret')
    expect(document.documentElement.outerHTML).not.toContain('s3cret')
    await pass(PAUSE)
    await press('Save')
    expect(callsOf(asked)).toEqual([
      ['checkSettings', {}],
      ['saveSettings', { clientSecret: 's3cret' }],
    ])
    await asked[1]?.answer(failed({ code: 'keychainUnavailable' }))
    const input = field('Client secret')
    await press('Back')
    await press('Discard')
    expect(input.value).toBe('')
  })
})

test('a switch takes effect at once, shows the actual state, and is locked if the policy sets it', async () => {
  const agent = () => screen.getByRole('switch', { name: 'Let tools ask for access tokens' })
  const turn = () => act(async () => agent().click())
  const { asked, show } = await openSettings(viewOf(active))
  expect(describedBy(agent())).toBe('Changes here take effect immediately.')
  await turn()
  expect(callsOf(asked)).toEqual([['setSwitch', { name: 'agent', enabled: false }]])
  expect(agent().getAttribute('aria-checked')).toBe('true')
  await asked[0]?.answer(ok)
  await show(viewOf(active, { switches: switchesOf({ agent: { enabled: false, source: 'policy' } }) }))
  expect(agent().getAttribute('aria-checked')).toBe('false')
  expect(describedBy(agent())).toBe('Set by your administrator.')
  await turn()
  expect(asked).toHaveLength(1)
})

test('Back asks first about unsaved values; Save changes saves them and goes back, unless a value is refused', async () => {
  const { asked } = await openConnection(viewOf(signedOut))
  await type('Service address', ELSEWHERE)
  await press('Back')
  await press('Save changes')
  expect(callsOf(asked)).toEqual([['saveSettings', { baseAddress: ELSEWHERE, tryAddress: true }]])
  await asked[0]?.answer(wrong({ baseAddress: 'notHttps' }))
  expect([title(), document.activeElement]).toEqual(['data.example.com', field('Service address')])
  await press('Back')
  await press('Save changes')
  await asked[1]?.answer(ok)
  expect(title()).toBe('Settings')
})
