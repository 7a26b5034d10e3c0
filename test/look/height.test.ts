/** The most frequent views fit into the window at its initial size, without a scrollbar. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { LOCALES, openStage, STANDARD, type StagedWindow } from './window.ts'

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
  await window.resize(STANDARD)
})
afterAll(() => window?.stop())

test.each(FIXTURES.filter(({ name }) => USUAL.has(name)))('$name fits in every language', async (fixture) => {
  for (const locale of LOCALES) {
    await window.show(fixture, { locale })
    const height = await window.page.evaluate(() => document.documentElement.scrollHeight)
    expect([locale, height]).toEqual([locale, STANDARD.height])
  }
})
