/** New content never moves what a person may be reading, filling in or about to press. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spokenIn } from './fixture.ts'
import { FIXTURES } from './fixtures/index.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

const STANDING: ReadonlySet<string> = new Set([
  'sign-in-choice',
  'keychain-locked',
  'signed-in',
  'unreachable',
  'change-password',
  'settings',
])
const LOCALE = 'en-GB'

let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
  await window.resize(STANDARD)
})
afterAll(() => window?.stop())

function places(): Record<string, string> {
  const found = [...document.querySelectorAll('h1, h2, input, main button:not(.update button), .card, .lead')]
  return Object.fromEntries(
    found
      .filter((each) => each.checkVisibility())
      .map((each, index) => {
        const { left, top, width, height } = each.getBoundingClientRect()
        return [`${index} ${each.tagName}`, [left, top, width, height].join(' ')]
      }),
  )
}

test.each(FIXTURES.filter(({ name }) => STANDING.has(name)))(
  'a new notice and an available update move nothing in $name',
  async (fixture) => {
    const texts = await spokenIn(LOCALE)
    await window.show(fixture, { locale: LOCALE })
    const before = await window.page.evaluate(places)
    const notices = [texts.settingsProblem({ where: 'LATCHKEY_AUTH_URL', problem: 'unusable' })]
    await window.push({ ...fixture.view(texts), notices, update: { version: '0.2.0' } })
    await window.page.getByText(texts.desktop.update.restart).waitFor()
    const after = await window.page.evaluate(places)
    // New content comes last in reading order, too.
    expect(Object.entries(after).slice(0, Object.keys(before).length)).toEqual(Object.entries(before))
  },
)
