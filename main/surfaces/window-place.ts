import * as v from 'valibot'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The size and position of a window. If there is no position, the system chooses one. */
export interface WindowPlace {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
}

/** The middle of the window's top, in pixels. This part must be on a display, so that users can move the window. */
const HANDLE = { width: 80, height: 30 } as const

const pixels = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
const savedPlace = v.object({ x: pixels, y: pixels, width: pixels, height: pixels })

export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The last place of the window, if the current displays still show it.
 * @param saved the stored value, which may be anything
 * @param displays each display's area for windows, the primary display first
 */
export function placeFor(
  saved: unknown,
  displays: readonly Rectangle[],
  { standard, least }: { readonly standard: Size; readonly least: Size },
): WindowPlace {
  const parsed = v.safeParse(savedPlace, saved)
  if (!parsed.success) return standard
  const place = parsed.output
  const home = displays.find((display) => contains(display, handleOf(place)))
  const room = home ?? displays[0]
  const size = {
    width: Math.max(least.width, Math.min(place.width, room?.width ?? standard.width)),
    height: Math.max(least.height, Math.min(place.height, room?.height ?? standard.height)),
  }
  // Wayland doesn't report the position of a window, so Electron says 0, 0.
  if (home === undefined || (place.x === 0 && place.y === 0)) return size
  return { x: place.x, y: place.y, ...size }
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
