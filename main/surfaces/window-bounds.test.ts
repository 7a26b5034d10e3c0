import { describe, expect, it } from 'vitest'
import { boundsFor } from './window-bounds.ts'

const sizes = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } }
const left = { x: 0, y: 25, width: 1280, height: 775 }
const right = { x: 1280, y: 0, width: 1920, height: 1080 }
const bounds = (saved: unknown, displays = [left, right]) => boundsFor(saved, displays, sizes)

describe('a new window', () => {
  it('opens with its saved bounds, also on a second display', () => {
    const saved = { x: 1500, y: 40, width: 500, height: 700 }
    expect(bounds(saved)).toEqual(saved)
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
  ])('gets its default size if the saved bounds are %o', (saved) => {
    expect(bounds(saved)).toEqual(sizes.standard)
  })

  it('keeps its size if its display is gone, but the system chooses its position', () => {
    expect(bounds({ x: 1500, y: 40, width: 500, height: 700 }, [left])).toEqual({ width: 500, height: 700 })
  })

  it.each([
    ['above every display', { x: 100, y: -20 }],
    ['under the menu bar', { x: 100, y: 10 }],
    ['at the bottom edge', { x: 100, y: 790 }],
    ['too far to the left', { x: -300, y: 100 }],
  ])('gets its position from the system if the saved bounds are %s', (_, position) => {
    expect(bounds({ ...position, width: 420, height: 560 }, [left])).toEqual({ width: 420, height: 560 })
  })

  it('may be partly outside a display if the user can still see and move it', () => {
    const saved = { x: -100, y: 100, width: 420, height: 560 }
    expect(bounds(saved)).toEqual(saved)
  })

  it('is no larger than the display, and no smaller than the minimum size', () => {
    expect(bounds({ x: 10, y: 30, width: 5000, height: 10 }, [left])).toEqual({ width: 1280, height: 420 })
    expect(bounds({ x: 10, y: 30, width: 20, height: 5000 }, [left])).toMatchObject({ width: 340, height: 775 })
  })

  it('gets its position from the system if the saved position is 0, 0, as it always is on Wayland', () => {
    const display = { x: 0, y: 0, width: 1280, height: 800 }
    expect(bounds({ x: 0, y: 0, width: 500, height: 600 }, [display])).toEqual({ width: 500, height: 600 })
  })

  it('gets its default size if there is no display', () => {
    expect(bounds({ x: 10, y: 30, width: 500, height: 600 }, [])).toEqual({ width: 420, height: 560 })
  })
})
