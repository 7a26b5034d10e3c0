/** Nothing is cut off in any language, in a small window, or with large text. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { layoutFaults } from './layout.ts'
import { LEAST, LOCALES, openStage, STANDARD, type StagedWindow } from './window.ts'

/** The states that fit into the window at its initial size, without a scrollbar. */
const USUAL: ReadonlySet<string> = new Set([
  'signed-in',
  'sign-in',
  'sign-in-choice',
  'expired',
  'ending',
  'ending-sso',
])
let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
})
afterAll(() => window?.stop())

// `states.test.ts` shows every state in German, which has the longest words, so these states suffice for the other
// languages.
const views = FIXTURES.filter(({ name, isFullyPictured }) => isFullyPictured || USUAL.has(name)).flatMap((fixture) =>
  LOCALES.map((locale) => ({ name: fixture.name, locale, fixture })),
)

test.each(views)('$name in $locale: nothing is cut off, at any size of window or text', async ({ fixture, locale }) => {
  await window.resize(STANDARD)
  await window.show(fixture, { locale })
  if (USUAL.has(fixture.name)) {
    expect(await window.page.evaluate(() => document.documentElement.scrollHeight)).toBe(STANDARD.height)
  }
  for (const text of [1, 2]) {
    await window.resize({ ...(locale === 'de-DE' ? STANDARD : LEAST), text })
    const mayBreakWords = fixture.hasLongWords === true || text === 2
    expect([text, ...(await window.page.evaluate(layoutFaults, { mayBreakWords }))]).toEqual([text])
  }
})
