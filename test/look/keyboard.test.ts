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
    const fromFirst = () => {
      const first = reached.indexOf(expected[0] ?? '')
      return first < 0 ? [] : reached.slice(first)
    }
    // The focus may be on any control at first, so reaching each once, and then the first again, may take two rounds. At
    // the end of a round, nothing in the page has the focus.
    for (let step = 0; fromFirst().length <= expected.length && step < expected.length * 2 + 4; step += 1) {
      await window.page.keyboard.press('Tab')
      const { name, fault } = await window.page.evaluate(focused)
      if (name !== undefined) reached.push(name)
      if (fault !== undefined) faults.push(`${name}: ${fault}`)
    }
    expect(fromFirst()).toEqual([...expected, ...expected.slice(0, 1)])
    expect([...new Set(faults)]).toEqual([])
  })
})
