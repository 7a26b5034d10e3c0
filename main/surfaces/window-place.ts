import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The position and size of a new window. Without a position the system chooses one. */
export interface WindowPlace {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
}

/**
 * The size, in pixels, of the middle part of the window's top. This part must be on a display, so that users can see
 * and move the window.
 */
const HANDLE = { width: 80, height: 30 } as const

const pixels = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
const savedPlace = v.object({ x: pixels, y: pixels, width: pixels, height: pixels })

export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The last place of the window, if the current displays still show it. @param saved The stored value, which may be
 * anything. @param displays Each display's area for windows; the primary display first.
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
  // Wayland doesn't report a window's position: it is always 0, 0.
  if (home === undefined || (place.x === 0 && place.y === 0)) return size
  return { x: place.x, y: place.y, ...size }
}

/** A window's sizes, valid until the user resizes it. */
export interface ZoomedWindow {
  /** The content size at the normal zoom. */
  readonly usual: Size
  /** By how much the window is larger than its content. `undefined` if a new window has not been measured yet. */
  readonly frame: Size | undefined
  /** The content size before zooming, and each content size set by zooming. */
  readonly sizes: readonly Size[]
}

/**
 * The sizes of a window whose zoom is about to change. If its content has one of the sizes in `last`, the user has not
 * resized it, and `last` is still valid. All sizes are compared, because a resize may take effect late. For the same
 * reason, the frame is measured only before the first resize: on X11, the window's bounds and the size of its content
 * don't change at the same time.
 */
export function zoomedWindow(
  last: ZoomedWindow | undefined,
  { bounds, content, factor }: { readonly bounds: Size; readonly content: Size; readonly factor: number },
  standard: Size,
): ZoomedWindow & { readonly frame: Size } {
  const known = last?.sizes.some((size) => isDeepStrictEqual(size, content)) ? last : undefined
  return {
    usual: known?.usual ?? usualSize(content, factor, standard),
    frame: known?.frame ?? { width: bounds.width - content.width, height: bounds.height - content.height },
    sizes: known?.sizes ?? [content],
  }
}

/** The new bounds of a window when its zoom changes: it grows with its text and stays completely on its display. */
export function zoomedBounds(
  { usual, frame }: { readonly usual: Size; readonly frame: Size },
  factor: number,
  { x, y }: { readonly x: number; readonly y: number },
  workArea: Rectangle,
): Rectangle {
  const width = Math.min(Math.round(usual.width * factor) + frame.width, workArea.width)
  const height = Math.min(Math.round(usual.height * factor) + frame.height, workArea.height)
  return {
    x: Math.max(workArea.x, Math.min(x, workArea.x + workArea.width - width)),
    y: Math.max(workArea.y, Math.min(y, workArea.y + workArea.height - height)),
    width,
    height,
  }
}

/**
 * The content size that a window would have at the normal zoom. If the display was too small for the zoomed window, the
 * calculated size would be too small as well, so the result for a zoomed window is at least the default size.
 */
function usualSize({ width, height }: Size, factor: number, standard: Size): Size {
  if (factor <= 1) return { width, height }
  return { width: Math.max(width / factor, standard.width), height: Math.max(height / factor, standard.height) }
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
