import type { Rectangle, Size } from 'electron'
import * as v from 'valibot'

/** The size and position of a window. If there is no position, the system chooses one. */
type WindowBounds = Size | Rectangle

/** The middle of the window's top, in pixels. This part must be on a display, so that users can move the window. */
const HANDLE = { width: 80, height: 30 } as const

const pixels = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
const boundsSchema = v.object({ x: pixels, y: pixels, width: pixels, height: pixels })

/**
 * The saved size is limited by the display, and the saved position is only used if a display shows it.
 * @param saved may be anything
 * @param displays each display's area for windows, the primary display first
 */
export function boundsFor(
  saved: unknown,
  displays: readonly Rectangle[],
  { standard, least }: { readonly standard: Size; readonly least: Size },
): WindowBounds {
  const parsed = v.safeParse(boundsSchema, saved)
  if (!parsed.success) return standard
  const bounds = parsed.output
  const home = displays.find((display) => contains(display, handleOf(bounds)))
  const room = home ?? displays[0]
  const size = {
    width: Math.max(least.width, Math.min(bounds.width, room?.width ?? standard.width)),
    height: Math.max(least.height, Math.min(bounds.height, room?.height ?? standard.height)),
  }
  // Wayland doesn't report the position of a window, so Electron says 0, 0.
  if (home === undefined || (bounds.x === 0 && bounds.y === 0)) return size
  return { x: bounds.x, y: bounds.y, ...size }
}

function handleOf({ x, y, width }: Rectangle): Rectangle {
  return { x: x + (width - HANDLE.width) / 2, y, ...HANDLE }
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}
