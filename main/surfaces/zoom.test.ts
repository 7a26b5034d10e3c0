import { describe, expect, it } from 'vitest'
import { factorAfter, factorFrom, type Zoom, zoomOf } from './zoom.ts'

const released = { type: 'keyDown', key: '+', control: false, meta: false, alt: false } as const
const ctrl = { ...released, control: true }
const cmd = { ...released, meta: true }

describe('the keys', () => {
  it.each<[string, Zoom]>([
    ['+', 'in'],
    ['=', 'in'],
    ['-', 'out'],
    ['0', 'reset'],
  ])('Ctrl, or Cmd on macOS, and %s', (key, zoom) => {
    expect(zoomOf({ ...ctrl, key }, 'linux')).toBe(zoom)
    expect(zoomOf({ ...ctrl, key }, 'win32')).toBe(zoom)
    expect(zoomOf({ ...cmd, key }, 'darwin')).toBe(zoom)
  })

  it.each<[string, Parameters<typeof zoomOf>, undefined]>([
    ['without Ctrl', [released, 'linux'], undefined],
    ['with Ctrl on macOS', [ctrl, 'darwin'], undefined],
    ['with Cmd elsewhere', [cmd, 'linux'], undefined],
    // AltGr, which types a different character.
    ['with Alt as well', [{ ...ctrl, alt: true }, 'win32'], undefined],
    ['when they are let go', [{ ...ctrl, type: 'keyUp' }, 'linux'], undefined],
    ['that mean something else', [{ ...ctrl, key: 'v' }, 'linux'], undefined],
  ])('are left alone %s', (_, pressed, expected) => {
    expect(zoomOf(...pressed)).toBe(expected)
  })
})

describe('the size', () => {
  it('grows in steps to twice the usual, and comes back', () => {
    const up = [1.1, 1.25, 1.5, 1.75, 2, 2]
    let factor = 1
    expect(up.map(() => (factor = factorAfter(factor, 'in')))).toEqual(up)
    const down = [1.75, 1.5, 1.25, 1.1, 1, 1]
    expect(down.map(() => (factor = factorAfter(factor, 'out')))).toEqual(down)
    expect(factorAfter(1.75, 'reset')).toBe(1)
  })

  it('is told right from what Chromium makes of it', () => {
    expect(factorAfter(1.2499999, 'in')).toBe(1.5)
    expect(factorAfter(1.2500001, 'out')).toBe(1.1)
  })

  it.each([
    [1.5, 1.5],
    [undefined, 1],
    [7, 1],
    ['1.5', 1],
    [Number.NaN, 1],
  ])('that is remembered as %j is %d', (saved, factor) => {
    expect(factorFrom(saved)).toBe(factor)
  })
})
