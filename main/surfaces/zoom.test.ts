import { expect, it } from 'vitest'
import { factorAfter, factorFrom, zoomOf } from './zoom.ts'

const plain = { type: 'keyDown', key: '+', control: false, meta: false, alt: false } as const
const ctrl = { ...plain, control: true }
const cmd = { ...plain, meta: true }

it.each<[string, Parameters<typeof zoomOf>, ReturnType<typeof zoomOf>]>([
  ['with Ctrl zooms in', [ctrl, 'linux'], 'in'],
  ['= with Cmd on macOS zooms in', [{ ...cmd, key: '=' }, 'darwin'], 'in'],
  ['- zooms out', [{ ...ctrl, key: '-' }, 'linux'], 'out'],
  ['0 resets the zoom', [{ ...ctrl, key: '0' }, 'win32'], 'reset'],
  ['without Ctrl does not zoom', [plain, 'linux'], undefined],
  ['with Ctrl on macOS does not zoom', [ctrl, 'darwin'], undefined],
  // Windows reports AltGr, which types another character, as Ctrl and Alt.
  ['with Alt, too, does not zoom', [{ ...ctrl, alt: true }, 'win32'], undefined],
])('a key %s', (_, pressed, expected) => {
  expect(zoomOf(...pressed)).toBe(expected)
})

it('the zoom factor grows in steps to 200 %, and shrinks again, even if Chromium has changed it slightly', () => {
  let factor = 1
  const up = [1.1, 1.25, 1.5, 1.75, 2, 2]
  expect(up.map(() => (factor = factorAfter(factor, 'in')))).toEqual(up)
  expect([factorAfter(1.2499999, 'in'), factorAfter(1.2500001, 'out'), factorAfter(1, 'out')]).toEqual([1.5, 1.1, 1])
  expect(factorAfter(1.75, 'reset')).toBe(1)
  expect([1.5, undefined, 7].map(factorFrom)).toEqual([1.5, 1, 1])
})
