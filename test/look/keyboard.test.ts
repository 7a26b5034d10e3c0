/** Every view in every state can be used without a mouse. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { controls, focused } from './focus.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

let window: StagedWindow

beforeAll(async () => {
  window = await openStage()
})
afterAll(() => window?.stop())

describe.each(FIXTURES)('$name', (fixture) => {
  test.each([
    ['as it opens', STANDARD],
    ['with text twice as large', { ...STANDARD, text: 2 }],
  ])('Tab reaches every control in order, and each is then in sight and has a focus ring: %s', async (_, size) => {
    await window.resize(size)
    await window.show(fixture)
    const expected = await window.page.evaluate(controls)
    const reached: string[] = []
    const faults: string[] = []
    for (let step = 0; step < expected.length * 2 + 2; step += 1) {
      await window.page.keyboard.press('Tab')
      const { name, fault } = await window.page.evaluate(focused)
      if (name !== undefined) reached.push(name)
      if (fault !== undefined) faults.push(`${name}: ${fault}`)
    }
    const first = reached.indexOf(expected[0] ?? '')
    expect(reached.slice(first, first + expected.length)).toEqual(expected)
    expect([...new Set(faults)]).toEqual([])
  })
})
