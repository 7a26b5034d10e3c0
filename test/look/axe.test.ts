/** Every view in every state is accessible, as far as axe-core can check. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES } from './fixtures/index.ts'
import { openStage, STANDARD, type StagedWindow } from './window.ts'

const THEMES = ['light', 'dark'] as const
/** Tall enough for the whole view, because axe only checks what is in the window. */
const TALL = { width: STANDARD.width, height: 4_000 } as const

let window: StagedWindow
let axe: string

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  window = await openStage()
  await window.resize(TALL)
})
afterAll(() => window?.stop())

describe.each(FIXTURES)('$name', (fixture) => {
  test('axe finds nothing, in either theme', async () => {
    await window.show(fixture)
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
})
