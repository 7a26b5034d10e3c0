import { describe, expect, it } from 'vitest'
import { factorAfter, factorFrom, type Zoom, zoomOf } from './zoom.ts'

const released = { type: 'keyDown', key: '+', control: false, meta: false, alt: false } as const
const ctrl = { ...released, control: true }
const cmd = { ...released, meta: true }

describe('a key', () => {
  it.each<[string, Zoom]>([
    ['+', 'in'],
    ['=', 'in'],
    ['-', 'out'],
    ['0', 'reset'],
  ])('%s zooms with Ctrl, or Cmd on macOS', (key, zoom) => {
    expect(zoomOf({ ...ctrl, key }, 'linux')).toBe(zoom)
    expect(zoomOf({ ...ctrl, key }, 'win32')).toBe(zoom)
    expect(zoomOf({ ...cmd, key }, 'darwin')).toBe(zoom)
  })

  it.each<[string, Parameters<typeof zoomOf>, undefined]>([
    ['without Ctrl', [released, 'linux'], undefined],
    ['with Ctrl on macOS', [ctrl, 'darwin'], undefined],
    ['with Cmd elsewhere', [cmd, 'linux'], undefined],
    // Windows reports AltGr, which types another character, as Ctrl and Alt.
    ['with Alt, too', [{ ...ctrl, alt: true }, 'win32'], undefined],
    ['when it is released', [{ ...ctrl, type: 'keyUp' }, 'linux'], undefined],
    ['if it is a letter', [{ ...ctrl, key: 'v' }, 'linux'], undefined],
  ])('does not zoom %s', (_, pressed, expected) => {
    expect(zoomOf(...pressed)).toBe(expected)
  })
})

describe('the zoom factor', () => {
  it('grows in steps to 200 %, and shrinks again', () => {
    const up = [1.1, 1.25, 1.5, 1.75, 2, 2]
    let factor = 1
    expect(up.map(() => (factor = factorAfter(factor, 'in')))).toEqual(up)
    const down = [1.75, 1.5, 1.25, 1.1, 1, 1]
    expect(down.map(() => (factor = factorAfter(factor, 'out')))).toEqual(down)
    expect(factorAfter(1.75, 'reset')).toBe(1)
  })

  it('is recognised when Chromium has changed it slightly', () => {
    expect(factorAfter(1.2499999, 'in')).toBe(1.5)
    expect(factorAfter(1.2500001, 'out')).toBe(1.1)
  })

  it.each([
    [1.5, 1.5],
    [undefined, 1],
    [7, 1],
    ['1.5', 1],
    [Number.NaN, 1],
  ])('stored as %j is read as %d', (saved, factor) => {
    expect(factorFrom(saved)).toBe(factor)
  })
})
