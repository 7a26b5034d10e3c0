/** The desktop's preferences apply: reduced motion and forced colours. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { focused } from './focus.ts'
import { forcedColourFaults, movements } from './preferences.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

const THEMES = ['light', 'dark'] as const

let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
  await window.resize(STANDARD)
})
afterAll(() => window?.stop())

describe.each(FIXTURES)('$name', (fixture) => {
  test('nothing moves with reduced motion', async () => {
    await window.show(fixture, { reducedMotion: true })
    expect(await window.page.evaluate(movements)).toEqual([])
  })

  test('forced colours keep edges, focus rings and states visible, in either theme', async () => {
    await window.show(fixture)
    for (const theme of THEMES) {
      await window.surround({ forcedColors: true, theme })
      expect([theme, ...(await window.page.evaluate(forcedColourFaults))]).toEqual([theme])
      await window.page.keyboard.press('Tab')
      expect([theme, (await window.page.evaluate(focused)).fault]).toEqual([theme, undefined])
    }
  })
})
