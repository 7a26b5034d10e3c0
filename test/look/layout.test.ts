/** Nothing is cut off in any language, in a small window, or with large text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { layoutFaults } from './layout.ts'
import { LEAST, LOCALES, openStage, STANDARD, type StagedWindow } from './window.ts'

let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
})
afterAll(() => window?.stop())

describe.each(FIXTURES)('$name', (fixture) => {
  test.each(LOCALES)('nothing is cut off, at any size of window or text: %s', async (locale) => {
    const mayBreakWords = fixture.hasLongWords ?? false
    await window.resize(STANDARD)
    await window.show(fixture, { locale })
    expect(await window.page.evaluate(layoutFaults, { mayBreakWords })).toEqual([])
    await window.resize(LEAST)
    expect(await window.page.evaluate(layoutFaults, { mayBreakWords })).toEqual([])
    for (const size of [STANDARD, LEAST]) {
      await window.resize({ ...size, text: 2 })
      expect([size, ...(await window.page.evaluate(layoutFaults, { mayBreakWords: true }))]).toEqual([size])
    }
  })
})
