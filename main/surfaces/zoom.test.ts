import { describe, expect, it } from 'vitest'
import { factorAfter, factorFrom, type Zoom, type ZoomedWindow, zoomedBounds, zoomedWindow, zoomOf } from './zoom.ts'

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
    // AltGr counts as Ctrl and Alt, and types a different character.
    ['with Alt as well', [{ ...ctrl, alt: true }, 'win32'], undefined],
    ['on release', [{ ...ctrl, type: 'keyUp' }, 'linux'], undefined],
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

  it('is recognised although Chromium changes it slightly', () => {
    expect(factorAfter(1.2499999, 'in')).toBe(1.5)
    expect(factorAfter(1.2500001, 'out')).toBe(1.1)
  })

  it.each([
    [1.5, 1.5],
    [undefined, 1],
    [7, 1],
    ['1.5', 1],
    [Number.NaN, 1],
  ])('that is stored as %j is read as %d', (saved, factor) => {
    expect(factorFrom(saved)).toBe(factor)
  })
})

describe('a zoomed window', () => {
  const standard = { width: 420, height: 560 }
  const bounds = { x: 800, y: 300, width: 422, height: 590 }
  const frame = { width: 2, height: 30 }
  const workArea = { x: 0, y: 27, width: 1280, height: 1413 }
  const framed = ({ width, height }: { width: number; height: number }) => ({ width: width + 2, height: height + 30 })
  const unzoomed = { usual: standard, frame, sizes: [standard] }
  const known = (content: { width: number; height: number }, factor: number, last?: ZoomedWindow) =>
    zoomedWindow(last, { bounds: framed(content), content, factor }, standard)

  it('grows with its text, and moves to stay on its display', () => {
    expect(zoomedBounds(unzoomed, 2, bounds, workArea)).toEqual({ x: 438, y: 290, width: 842, height: 1150 })
  })

  it('is no larger than its display', () => {
    const small = { x: 0, y: 27, width: 800, height: 573 }
    expect(zoomedBounds(unzoomed, 2, bounds, small)).toEqual(small)
  })

  it('shrinks to its previous size when the zoom is reset', () => {
    expect(known({ width: 840, height: 1120 }, 2)).toMatchObject({ usual: standard, frame })
    const small = { width: 500, height: 420 }
    expect(known(small, 1)).toEqual({ usual: small, frame, sizes: [small] })
  })

  it('gets at least its default size when the zoom is reset, even if the display limited the zoomed size', () => {
    expect(known({ width: 800, height: 543 }, 2).usual).toEqual(standard)
  })

  it.each([
    ['the latest', { width: 735, height: 980 }],
    ['an earlier', standard],
  ])(
    'keeps its size at the normal zoom and its frame while a resize takes effect late: its content has %s size',
    (_, content) => {
      const last = { ...unzoomed, sizes: [standard, { width: 735, height: 980 }] }
      const late = { bounds: framed({ width: 630, height: 840 }), content, factor: 1.75 }
      expect(zoomedWindow(last, late, standard)).toEqual(last)
    },
  )

  it('is measured again after the user has resized it', () => {
    const resized = { width: 900, height: 1200 }
    const last = { usual: resized, frame: { width: 0, height: 0 }, sizes: [standard] }
    expect(known(resized, 2, last)).toEqual({ usual: { width: 450, height: 600 }, frame, sizes: [resized] })
  })

  it('keeps its size at the normal zoom if it is a new window, whose frame is measured', () => {
    const small = { width: 800, height: 543 }
    const last = { usual: { width: 500, height: 600 }, frame: undefined, sizes: [small] }
    expect(zoomedWindow(last, { bounds: framed(small), content: small, factor: 2 }, standard)).toEqual({
      ...last,
      frame,
    })
  })
})
