import type { Input } from 'electron'

export type Zoom = 'in' | 'out' | 'reset'

const FACTORS = [1, 1.1, 1.25, 1.5, 1.75, 2] as const
/** Chromium stores the zoom as a power of 1.2, so the factor that it returns can differ slightly from ours. */
const TOLERANCE = 0.01

type Pressed = Pick<Input, 'type' | 'key' | 'control' | 'meta' | 'alt'>

/** As in browsers. The = key zooms in like +, because + may need Shift. */
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

/** The stored factor. It is 1 if the stored value is not one of our factors. */
export const factorFrom = (saved: unknown): number => FACTORS.find((each) => each === saved) ?? 1
