import { isDeepStrictEqual } from 'node:util'
import type { Input } from 'electron'
import type { Rectangle, Size } from './window-place.ts'

/** How the user changes the zoom of the window's page. */
export type Zoom = 'in' | 'out' | 'reset'

/** The same steps as in browsers. At 200 % everything still fits the smallest window. */
const FACTORS = [1, 1.1, 1.25, 1.5, 1.75, 2] as const
/** Chromium stores the zoom as a power of 1.2, so it returns a value that only approximates the factor that was set. */
const TOLERANCE = 0.01

type Pressed = Pick<Input, 'type' | 'key' | 'control' | 'meta' | 'alt'>

/**
 * The zoom command of a key: Ctrl (on macOS Cmd) with +, - or 0, as in browsers. The = key counts as +, because many
 * keyboards need Shift for +.
 */
export function zoomOf({ type, key, control, meta, alt }: Pressed, platform: NodeJS.Platform): Zoom | undefined {
  const [wanted, other] = platform === 'darwin' ? [meta, control] : [control, meta]
  if (type !== 'keyDown' || !wanted || other || alt) return undefined
  switch (key) {
    case '+':
    case '=':
      return 'in'
    case '-':
      return 'out'
    case '0':
      return 'reset'
    default:
      return undefined
  }
}

/** The factor after a zoom command. */
export function factorAfter(factor: number, zoom: Zoom): number {
  switch (zoom) {
    case 'in':
      return FACTORS.find((each) => each > factor + TOLERANCE) ?? 2
    case 'out':
      return FACTORS.findLast((each) => each < factor - TOLERANCE) ?? 1
    case 'reset':
      return 1
  }
}

/** The stored factor; 1 if the stored value is not one of our factors. */
export const factorFrom = (saved: unknown): number => FACTORS.find((each) => each === saved) ?? 1

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
