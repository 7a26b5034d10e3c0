import { expect, it } from 'vitest'
import { boundsFor } from './window-bounds.ts'

const sizes = { standard: { width: 420, height: 560 }, least: { width: 340, height: 420 } }
const left = { x: 0, y: 25, width: 1280, height: 775 }
const right = { x: 1280, y: 0, width: 1920, height: 1080 }
const second = { x: 1500, y: 40, width: 500, height: 700 }
const partly = { x: -100, y: 100, width: 420, height: 560 }

it.each([
  ['on a second display are used', second, [left, right], second],
  ['partly outside a display are used if the user can still see and move the window', partly, [left], partly],
  ['on a display that is gone leave the position to the system', second, [left], { width: 500, height: 700 }],
  [
    'at 0, 0, as they always are on Wayland, do so, too',
    { ...second, x: 0, y: 0 },
    [{ ...left, y: 0 }],
    { width: 500, height: 700 },
  ],
  [
    'too small and too large are limited',
    { x: 10, y: 30, width: 5000, height: 10 },
    [left],
    { width: 1280, height: 420 },
  ],
  ['of no use give the default size', { x: 0.5, y: 2, width: 420, height: 560 }, [left], sizes.standard],
  ['that are missing give the default size', undefined, [left], sizes.standard],
])('saved bounds %s', (_, saved, displays, expected) => {
  expect(boundsFor(saved, displays, sizes)).toEqual(expected)
})
