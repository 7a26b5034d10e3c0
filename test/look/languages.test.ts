/** Nothing is cut off in any language, in a small window, or with large text. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FULLY_PICTURED } from './fixtures/fully-pictured.ts'
import { FIXTURES } from './fixtures/index.ts'
import { layoutFaults } from './layout.ts'
import { LEAST, LOCALES, openStage, STANDARD, type StagedWindow } from './window.ts'

/** The most frequent views fit into the window at its initial size, without a scrollbar. */
const USUAL: ReadonlySet<string> = new Set([
  'signed-in',
  'sign-in',
  'sign-in-choice',
  'expired',
  'ending',
  'ending-sso',
])
/** The states whose layout differs; others differ in a sentence. */
const inEveryLanguage = (name: string) => FULLY_PICTURED.has(name) || USUAL.has(name)

let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
})
afterAll(() => window?.stop())

// German has the longest words.
const views = FIXTURES.flatMap((fixture) =>
  (inEveryLanguage(fixture.name) ? LOCALES : (['de-DE'] as const)).map((locale) => ({
    name: fixture.name,
    locale,
    fixture,
  })),
)

test.each(views)('$name: nothing is cut off, at any size of window or text: $locale', async (view) => {
  const { fixture, locale } = view
  const mayBreakWords = fixture.hasLongWords ?? false
  await window.resize(STANDARD)
  await window.show(fixture, { locale })
  if (USUAL.has(fixture.name)) {
    expect(await window.page.evaluate(() => document.documentElement.scrollHeight)).toBe(STANDARD.height)
  }
  for (const size of [STANDARD, LEAST]) {
    for (const text of [1, 2]) {
      await window.resize({ ...size, text })
      const faults = await window.page.evaluate(layoutFaults, { mayBreakWords: mayBreakWords || text === 2 })
      expect([size, text, ...faults]).toEqual([size, text])
    }
  }
})
