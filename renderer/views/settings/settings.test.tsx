import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import type { SettingProblems, SettingsView } from '../../../contract/settings.ts'
import { switchesOf } from '../../../contract/testing.ts'
import type { AppView } from '../../../contract/views.ts'
import {
  button,
  callsOf,
  field,
  ok,
  openConnection,
  openSettings,
  pass,
  press,
  sessions,
  settings,
  type,
  viewOf,
} from '../../testing.tsx'

const PAUSE = 400
const { active, signedOut } = sessions
const wrong = (fields: SettingProblems) => ({ ok: false, failure: { code: 'invalidInput', fields } }) as const
const withSettings = (over: Partial<SettingsView>): Partial<AppView> => ({ settings: { ...settings, ...over } })
const describedBy = (label: string) =>
  (field(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

describe('saving', () => {
  test('Save appears only after a change, and screen readers announce it', async () => {
    await openConnection(viewOf(signedOut))
    const save = () => screen.queryByRole('button', { name: 'Save' })
    const heard = () =>
      screen.getAllByRole('status').some(({ textContent }) => /aren’t saved yet/.test(textContent ?? ''))
    expect([save(), heard()]).toEqual([null, false])
    await type('Name in this window', 'Production')
    expect([save() !== null, heard()]).toEqual([true, true])
    await type('Name in this window', '')
    expect([save(), heard()]).toEqual([null, false])
  })

  test('Save sends only the changed values, without surrounding spaces', async () => {
    const { asked } = await openConnection(
      viewOf(signedOut, withSettings({ scope: { value: 'openid', source: 'user' } })),
    )
    await type('Provider address', ' https://login.example.com ')
    await type('Scope', '')
    await press('Save')
    await press('Saving…')
    expect(callsOf(asked)).toEqual([['saveSettings', { authUrl: 'https://login.example.com', scope: '' }]])
  })

  test('each refused value is marked; the first gets the focus, and its section expands', async () => {
    const { asked } = await openConnection(viewOf(signedOut))
    await type('Client ID', 'latchkey')
    await press('Save')
    await asked[0]?.answer(wrong({ scope: 'missing', authUrl: 'notHttps' }))
    expect(document.activeElement).toBe(field('Provider address'))
    expect(describedBy('Provider address')).toContain('This address isn’t secure.')
    expect(describedBy('Scope')).toContain('Single sign-on also needs this value.')
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Correct the 2 marked values, then save again.',
    ])
    expect(document.querySelector('details')?.open).toBe(true)
    expect(field('Client ID').value).toBe('latchkey')
  })

  test.each([
    ['keychainUnavailable', 'Your keyring isn’t responding'],
    ['invalidInput', 'These settings aren’t valid'],
    ['notConfirmed', 'Nothing was saved'],
  ] as const)('any other failure is shown once, and the typed text stays: %s', async (code, title) => {
    const { asked } = await openConnection(viewOf(signedOut))
    await type('Service address', 'https://other.example.com')
    await press('Save')
    await asked[0]?.answer({ ok: false, failure: { code } })
    expect(screen.getByRole('alert').textContent).toContain(title)
    expect(field('Service address').value).toBe('https://other.example.com')
    await press('Save')
    expect(asked).toHaveLength(2)
  })
})

describe('checks while the user types', () => {
  const openFaked = async (view: AppView) => {
    const window = await openConnection(view)
    vi.useFakeTimers()
    return window
  }

  test('wait until the user pauses, and their result is not an alert', async () => {
    const { asked } = await openFaked(viewOf(signedOut))
    await type('Service address', 'http://d')
    await pass(PAUSE - 1)
    await type('Service address', 'http://data.example.com')
    await pass(PAUSE)
    expect(callsOf(asked)).toEqual([['checkSettings', { baseAddress: 'http://data.example.com' }]])
    await asked[0]?.answer(wrong({ baseAddress: 'notHttps' }))
    expect(describedBy('Service address')).toContain('This address isn’t secure.')
    expect(screen.queryByRole('alert')).toBeNull()
    await type('Service address', 'https://data.example.com')
    expect(field('Service address').getAttribute('aria-invalid')).toBe('false')
  })

  test('SECURITY: the client secret is sent only when the user saves', async () => {
    const { asked } = await openFaked(viewOf(signedOut))
    await type('Client secret', 's3cret')
    await pass(PAUSE)
    await press('Save')
    expect(callsOf(asked)).toEqual([
      ['checkSettings', {}],
      ['saveSettings', { clientSecret: 's3cret' }],
    ])
  })
})

test.each([
  [{ source: 'policy' }, 'Set by your administrator.'],
  [{ source: 'policy', place: 'registry' }, 'Set by your administrator (registry).'],
  [{ source: 'environment' }, 'Set by LATCHKEY_SSO_AUDIENCE.'],
] as const)('a managed value is locked, and says who manages it: %j', async (from, sentence) => {
  const audience = { value: 'the-api', ...from }
  const { asked } = await openConnection(viewOf(signedOut, withSettings({ audience })))
  expect(field('Audience').readOnly).toBe(true)
  expect(field('Audience').value).toBe('the-api')
  expect(describedBy('Audience')).toBe(sentence)
  await type('Audience', 'mine')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(asked.filter(({ name }) => name === 'saveSettings')).toEqual([])
})

describe('the client secret', () => {
  const stored = withSettings({ clientSecret: { source: 'user' } })

  test('the field of the client secret says that one is stored, and never shows it', async () => {
    await openConnection(viewOf(signedOut, stored))
    expect(field('Client secret').type).toBe('password')
    expect(field('Client secret').value).toBe('')
    expect(describedBy('Client secret')).toContain('A secret is saved in your keyring.')
  })

  test('Remove secret takes effect on saving, and can be undone until then', async () => {
    const { asked } = await openConnection(viewOf(signedOut, stored))
    await press('Remove secret')
    expect(describedBy('Client secret')).toContain('The secret will be removed when you save.')
    await press('Keep the secret')
    await press('Remove secret')
    await press('Save')
    expect(callsOf(asked)).toEqual([['saveSettings', { clientSecret: '' }]])
  })

  test('SECURITY: a typed client secret isn’t in the HTML, and its field is emptied when the view closes', async () => {
    await openConnection(viewOf(signedOut))
    await type('Client secret', 's3cret')
    expect(document.documentElement.outerHTML).not.toContain('s3cret')
    const input = field('Client secret')
    await press('Back')
    await press('Discard')
    expect(input.value).toBe('')
  })
})

test.each([
  ['keychain', /stays in your keyring for when you come back/],
  ['memory', /kept until you quit Latchkey/],
  ['unsaved', /may have to sign in again if you come back to that address/],
] as const)(
  'if a signed-in user types another address, the window says before saving what happens to the session: %s',
  async (kept, sentence) => {
    await openConnection(viewOf({ ...active, kept }))
    await type('Service address', 'https://other.example.com')
    expect(screen.getByText(sentence).closest('[role=status]')).toBeTruthy()
    await type('Service address', 'DATA.example.com/')
    expect(screen.queryByText(sentence)).toBeNull()
  },
)

describe('on this computer', () => {
  const turn = (name: string) => act(async () => screen.getByRole('switch', { name }).click())
  const AGENT = 'Let tools ask for access tokens'
  const START = 'Start Latchkey at login'
  const isOn = (name: string) => screen.getByRole('switch', { name }).getAttribute('aria-checked')

  test('a switch takes effect at once, and shows the actual state, not the one asked for', async () => {
    const { asked, show } = await openSettings(viewOf(active))
    await turn(AGENT)
    await turn(START)
    expect(callsOf(asked)).toEqual([
      ['setSwitch', { name: 'agent', enabled: false }],
      ['setSwitch', { name: 'startAtLogin', enabled: true }],
    ])
    expect([isOn(AGENT), isOn(START)]).toEqual(['true', 'false'])
    await show(viewOf(active, { switches: switchesOf({ agent: { enabled: false, source: 'user' } }) }))
    expect(isOn(AGENT)).toBe('false')
  })

  test('screen readers announce with a switch that it takes effect at once', async () => {
    await openSettings(viewOf(active))
    const described = screen.getByRole('switch', { name: AGENT }).getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('Changes here take effect immediately.')
  })

  test.each([
    [AGENT, { agent: { enabled: false, source: 'policy' } }],
    [START, { startAtLogin: { enabled: true, source: 'policy' } }],
  ] as const)('a switch that the policy sets is locked, and says so: %s', async (name, given) => {
    const { asked } = await openSettings(viewOf(active, { switches: switchesOf(given) }))
    await turn(name)
    expect(asked).toEqual([])
    const describedBy = screen.getByRole('switch', { name }).getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(describedBy)?.textContent).toBe('Set by your administrator.')
  })
})

describe('values that aren’t saved yet', () => {
  const title = () => screen.getByRole('heading', { level: 1 }).textContent
  const openDirty = async (view = viewOf(signedOut)) => {
    const window = await openConnection(view)
    await type('Service address', 'https://other.example.com')
    return window
  }

  test('if no server answers, the error names the host, and the user can save anyway', async () => {
    const { asked } = await openDirty()
    await press('Save')
    await asked[0]?.answer({ ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } })
    expect(screen.getByRole('alert').textContent).toContain('Can’t find other.example.com')
    await press('Continue anyway')
    expect(document.activeElement).toBe(button('Saving…'))
    expect(callsOf(asked)[1]).toEqual(['saveSettings', { baseAddress: 'https://other.example.com' }])
    await asked[1]?.answer(ok)
    expect(title()).toBe('Settings')
  })

  test('the check of this computer keeps the typed values', async () => {
    const { asked, show } = await openDirty()
    await press('Save')
    await asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
    await press('Check this computer')
    expect(title()).toBe('Check this computer')
    expect(callsOf(asked).at(-1)).toEqual(['checkComputer', { tried: true }])
    await press('Back')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(button('Check this computer'))
    expect(field('Service address').value).toBe('https://other.example.com')
    // When another screen is requested, the check closes, so that the user sees the form's question.
    await press('Check this computer')
    await show(viewOf(signedOut, { navigation: { screen: 'about', number: 1 } }))
    expect(screen.getByRole('alertdialog', { name: 'Save your changes?' })).toBeTruthy()
    expect(title()).toBe('data.example.com')
  })

  test('Back asks first; Save changes saves them and goes back', async () => {
    const { asked } = await openDirty()
    await press('Back')
    expect(screen.getByRole('alertdialog', { name: 'Save your changes?' })).toBeTruthy()
    expect(title()).toBe('data.example.com')
    await press('Save changes')
    expect(callsOf(asked)).toEqual([['saveSettings', { baseAddress: 'https://other.example.com', tryAddress: true }]])
    await asked[0]?.answer(ok)
    expect(title()).toBe('Settings')
  })

  test('if saving fails, the settings stay open, and the wrong field gets the focus', async () => {
    const { asked } = await openDirty()
    await press('Back')
    await press('Save changes')
    await asked[0]?.answer(wrong({ baseAddress: 'notHttps' }))
    expect(title()).toBe('data.example.com')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(field('Service address'))
  })

  test.each(['Escape', 'Keep editing'])('%s returns the focus to where it was before the question', async (answer) => {
    await openDirty()
    await fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(document.activeElement).toBe(button('Save changes'))
    if (answer === 'Escape') await fireEvent.keyDown(button('Save changes'), { key: 'Escape' })
    else await press(answer)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(field('Service address'))
  })

  test('typed values are discarded only if the user chooses Discard', async () => {
    const { asked } = await openDirty()
    await press('Back')
    await press('Keep editing')
    expect(field('Service address').value).toBe('https://other.example.com')
    await press('Back')
    await press('Discard')
    expect([title(), asked]).toEqual(['Settings', []])
  })
})
