import { describe, expect, it } from 'vitest'
import { placeFor } from './window-place.ts'

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
  ])('gets its default size if the saved place is %o', (saved) => {
    expect(place(saved)).toEqual(sizes.standard)
  })

  it('keeps its size if its display is gone, but the system chooses its position', () => {
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

  it('may be partly outside a display if the user can still see and move it', () => {
    const saved = { x: -100, y: 100, width: 420, height: 560 }
    expect(place(saved)).toEqual(saved)
  })

  it('is no larger than the display, and no smaller than the minimum size', () => {
    expect(place({ x: 10, y: 30, width: 5000, height: 10 }, [left])).toEqual({ width: 1280, height: 420 })
    expect(place({ x: 10, y: 30, width: 20, height: 5000 }, [left])).toMatchObject({ width: 340, height: 775 })
  })

  it('gets its position from the system if the saved position is 0, 0, as it always is on Wayland', () => {
    const display = { x: 0, y: 0, width: 1280, height: 800 }
    expect(place({ x: 0, y: 0, width: 500, height: 600 }, [display])).toEqual({ width: 500, height: 600 })
  })

  it('gets its default size if there is no display', () => {
    expect(place({ x: 10, y: 30, width: 500, height: 600 }, [])).toEqual({ width: 420, height: 560 })
  })
})
