/** Every view in every state is accessible, can be used without a mouse, and follows the desktop's preferences. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { controls, focused } from './focus.ts'
import { forcedColourFaults, movements } from './preferences.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

const THEMES = ['light', 'dark'] as const

let window: StagedWindow
let axe: string

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  window = await openStage()
})
afterAll(() => window?.stop())

describe.each(FIXTURES)('$name', (fixture) => {
  test('axe finds nothing, in either theme, and nothing moves with reduced motion', async () => {
    // Tall enough for the whole view, because axe only checks what is in the window.
    await window.resize({ width: STANDARD.width, height: 4_000 })
    await window.show(fixture, { reducedMotion: true })
    expect(await window.page.evaluate(movements)).toEqual([])
    await window.page.evaluate(axe)
    for (const theme of THEMES) {
      await window.surround({ theme })
      const { violations } = await window.page.evaluate(
        (): Promise<AxeResults> => (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(),
      )
      const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      expect([theme, ...told]).toEqual([theme])
    }
  })

  test('with large text, Tab reaches every control in order, and each is then in sight and has a focus ring', async () => {
    await window.resize({ ...STANDARD, text: 2 })
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

    // Forced colours keep edges, focus rings and states visible.
    for (const theme of THEMES) {
      await window.surround({ forcedColors: true, theme })
      expect([theme, ...(await window.page.evaluate(forcedColourFaults))]).toEqual([theme])
      await window.page.keyboard.press('Tab')
      expect([theme, (await window.page.evaluate(focused)).fault]).toEqual([theme, undefined])
    }
  })
})
