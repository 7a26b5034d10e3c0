/** The window with the keyboard alone: Enter goes on, Escape goes back, and the focus is on the right control. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { type Fixture, MINUTE, NOW, ok, type Person, viewOf } from './fixture.ts'
import { FIXTURES } from './fixtures/index.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

let window: StagedWindow
let person: Person

beforeAll(async () => {
  window = await openStage()
  await window.resize(STANDARD)
})
afterAll(() => window?.stop())

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
/** The focused control's label. */
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

describe('signed in', () => {
  beforeEach(() => show(of(viewOf(active), { changePassword: ok, checkSettings: ok })))

  test('Escape leaves each screen, and the focus returns to the control that opened it', async () => {
    await expectFocus('Ready for your tools')
    await tabTo('A')
    await key('Enter')
    await expectFocus('Change password')
    for (const item of ['Renew now', 'Copy access token', 'Settings']) {
      await key('ArrowDown')
      await expectFocus(item)
    }
    await key('Enter')
    await tabTo('Help and about')
    await key('Enter')
    await window.page.getByRole('heading', { name: 'Help and about' }).waitFor()
    await key('Escape')
    await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await expectFocus('Help and about')
    await key('Escape')
    await expectFocus('A')
  })

  test('the end of a session doesn’t move the focus', async () => {
    await tabTo('A')
    await window.push(viewOf({ ...active, kind: 'ending', failure: { code: 'sessionEnded' } }))
    await person.reads('Your session can’t be renewed')
    await expectFocus('A')
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
