/** The window with the keyboard alone: Enter continues, Escape goes back, and the focus is on the right control. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { type Fixture, failed, MINUTE, NOW, ok, type Person, viewOf } from './fixture.ts'
import { FIXTURES } from './fixtures/index.ts'
import { focused } from './focus.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

let window: StagedWindow
let person: Person

beforeAll(async () => {
  window = await openStage()
  await window.resize(STANDARD)
})
afterAll(() => window?.stop())

const signedOut = { kind: 'signedOut', revocation: 'none' } as const
const active = {
  kind: 'active',
  account: { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password },
  token: { receivedAt: NOW, expiresAt: NOW + 41 * MINUTE, refreshesAt: NOW + 29 * MINUTE },
  refresh: 'idle',
  kept: 'keychain',
} as const
const of = (view: ReturnType<typeof viewOf>, answers: Fixture['answers'] = {}): Fixture => ({
  name: '',
  about: '',
  view: () => view,
  answers,
})
const show = async (fixture: Fixture) => {
  person = await window.show(fixture)
}
const key = (name: string) => window.page.keyboard.press(name)
const type = (text: string) => window.page.keyboard.type(text)
/** The focused control, by its label. */
const focus = () =>
  window.page.evaluate(() => {
    const each = document.activeElement as HTMLElement
    const label = (each as HTMLInputElement).labels?.[0]?.innerText
    return (label ?? (each.innerText || each.ariaLabel || each.tagName)).replace(/\s+/g, ' ')
  })
/** Presses Tab until this control has the focus. */
const tabTo = async (name: string) => {
  for (let step = 0; step < 20 && (await focus()) !== name; step += 1) await key('Tab')
  expect(await focus()).toBe(name)
}
const expectFocus = (name: string) => expect.poll(focus).toBe(name)

describe('the first start', () => {
  test('the focus starts in the address field, and returns there if the address is wrong', async () => {
    await show(
      of(viewOf({ kind: 'notConfigured' }), {
        connect: failed({ code: 'invalidInput', fields: { baseAddress: 'notHttps' } }),
      }),
    )
    await expectFocus('Service address')
    await type('http://data.example.com')
    await key('Enter')
    await person.hears()
    await expectFocus('Service address')
  })
})

describe('signing in', () => {
  test('the focus starts in the username field, and ends on the session’s heading', async () => {
    await show(of(viewOf(signedOut)))
    await expectFocus('Username')
    await type('ana')
    await key('Tab')
    await expectFocus('Password')
    await type('a longer quiet harbour')
    await key('Enter')
    await person.reads('Signing in…')
    await window.push(viewOf(active))
    await expectFocus('Signed in as Ana Duarte')
  })

  test('after a refusal the focus is in the password field', async () => {
    await show(of(viewOf(signedOut), { signIn: failed({ code: 'rejected' }) }))
    await type('ana')
    await tabTo('Password')
    await type('wrong')
    await key('Enter')
    await person.hears()
    await expectFocus('Password')
  })

  test('the details of a failure can be expanded and copied', async () => {
    const details = { operation: 'login', host: 'data.example.com:443', cause: 'ENOTFOUND' }
    await show(of(viewOf(signedOut), { signIn: failed({ code: 'unreachable', details }) }))
    await type('ana')
    await tabTo('Password')
    await type('a longer quiet harbour')
    await key('Enter')
    await person.hears()
    await tabTo('Details')
    await key('Enter')
    await key('Tab')
    await expectFocus('Copy')
    await key('Enter')
    await person.reads('Copied.')
  })
})

describe('a locked keychain', () => {
  test('if the keychain is locked, the user can sign in instead, and go back from the sign-in form', async () => {
    await show(of(viewOf({ kind: 'sessionUnread', why: 'locked' })))
    await expectFocus('Your keyring is locked')
    await tabTo('Sign in')
    await key('Enter')
    await expectFocus('Username')
    await key('Escape')
    await expectFocus('Sign in')
  })
})

describe('signed in', () => {
  beforeEach(() => show(of(viewOf(active), { changePassword: ok, checkSettings: ok })))

  test('Escape leaves the settings, and going back from About returns to the view that opened it', async () => {
    await expectFocus('Signed in as Ana Duarte')
    await tabTo('Settings')
    await key('Enter')
    // Waits for a heading, because the button that opens the view has the same text.
    await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await tabTo('About Latchkey')
    await key('Enter')
    await window.page.getByRole('heading', { name: 'About Latchkey' }).waitFor()
    await key('Escape')
    await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await expectFocus('About Latchkey')
    await key('Escape')
    await expectFocus('Settings')
  })

  test('the provider’s fields can be expanded and filled in; Space toggles a switch', async () => {
    await tabTo('Settings')
    await key('Enter')
    await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await tabTo('Single sign-on Not set up')
    await key('Enter')
    await tabTo('Provider address')
    await type('https://login.example.com')
    await tabTo('Let tools ask for access tokens')
    await key('Space')
    const { fault } = await window.page.evaluate(focused)
    expect(fault).toBeUndefined()
  })

  test('Escape closes the form for a new password, and so does a successful change', async () => {
    await tabTo('Change password')
    await key('Enter')
    await expectFocus('Current password')
    await key('Escape')
    await expectFocus('Change password')
    await key('Enter')
    await type('noisy harbour')
    await tabTo('New password')
    await type('quiet harbour')
    await tabTo('Repeat new password')
    await type('quiet harbour')
    await key('Enter')
    await person.reads('Password changed.')
    await expectFocus('Change password')
  })

  test('the end of a session doesn’t move the focus', async () => {
    await tabTo('More')
    await window.push(viewOf({ ...active, kind: 'ending', failure: { code: 'sessionEnded' } }))
    await person.reads('Your session can’t be renewed.')
    await expectFocus('More')
    await tabTo('Sign in')
    await key('Enter')
    await expectFocus('Password')
    await key('Escape')
    await expectFocus('Sign in')
  })
})

test('the arrow keys switch between sign-in methods', async () => {
  const choice = FIXTURES.find(({ name }) => name === 'sign-in-choice')
  if (choice === undefined) throw new Error('there is no such fixture')
  await show(choice)
  await key('Shift+Tab')
  await expectFocus('Password')
  await key('ArrowRight')
  await expectFocus('Single sign-on')
  await key('Tab')
  await expectFocus('Username')
})
