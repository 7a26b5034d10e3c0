import { describe, expect, it } from 'vitest'
import { placeFor, type ZoomedWindow, zoomedBounds, zoomedWindow } from './window-place.ts'

const sizes = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } }
const left = { x: 0, y: 25, width: 1280, height: 775 }
const right = { x: 1280, y: 0, width: 1920, height: 1080 }
const place = (saved: unknown, displays = [left, right]) => placeFor(saved, displays, sizes)

describe('a new window', () => {
  it('opens at its saved place, on any display', () => {
    const saved = { x: 1500, y: 40, width: 500, height: 700 }
    expect(place(saved)).toEqual(saved)
  })

  it.each([
    undefined,
    null,
    'left',
    {},
    { x: 1, y: 2 },
    { x: 1, y: 2, width: Number.NaN, height: 5 },
    { x: 0.5, y: 2, width: 420, height: 560 },
    { x: 1, y: 2, width: 1e9, height: 560 },
  ])('has its default size if the saved place is %o', (saved) => {
    expect(place(saved)).toEqual(sizes.standard)
  })

  it('keeps its size if its display is gone, but gets its position from the system', () => {
    expect(place({ x: 1500, y: 40, width: 500, height: 700 }, [left])).toEqual({ width: 500, height: 700 })
  })

  it.each([
    ['above every display', { x: 100, y: -20 }],
    ['under the menu bar', { x: 100, y: 10 }],
    ['at the bottom edge', { x: 100, y: 790 }],
    ['too far to the left', { x: -300, y: 100 }],
  ])('gets its position from the system if the saved place is %s', (_, position) => {
    expect(place({ ...position, width: 420, height: 560 }, [left])).toEqual({ width: 420, height: 560 })
  })

  it('may be partly outside a display if it can still be seen and moved', () => {
    const saved = { x: -100, y: 100, width: 420, height: 560 }
    expect(place(saved)).toEqual(saved)
  })

  it('is no larger than the display, and no smaller than the minimum size', () => {
    expect(place({ x: 10, y: 30, width: 5000, height: 10 }, [left])).toEqual({ width: 1280, height: 420 })
    expect(place({ x: 10, y: 30, width: 20, height: 5000 }, [left])).toMatchObject({ width: 340, height: 775 })
  })

  it('gets its position from the system if the saved position is 0, 0, as always on Wayland', () => {
    const display = { x: 0, y: 0, width: 1280, height: 800 }
    expect(place({ x: 0, y: 0, width: 500, height: 600 }, [display])).toEqual({ width: 500, height: 600 })
  })

  it('has its default size if there is no display', () => {
    expect(place({ x: 10, y: 30, width: 500, height: 600 }, [])).toEqual({ width: 420, height: 560 })
  })
})

describe('a zoomed window', () => {
  const { standard } = sizes
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
