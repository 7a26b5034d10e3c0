import type { Input } from 'electron'

/** How a person changes the size of all that the window shows. */
export type Zoom = 'in' | 'out' | 'reset'

/** The sizes there are, as browsers have them. At twice the usual size nothing is lost in the smallest window. */
const FACTORS = [1, 1.1, 1.25, 1.5, 1.75, 2] as const
/** Chromium keeps a power of 1.2, which is nearly the factor that was set. */
const NEARLY = 0.01

type Pressed = Pick<Input, 'type' | 'key' | 'control' | 'meta' | 'alt'>

/** What a key asks for: Ctrl, or Cmd on macOS, with +, - or 0, as in browsers; = is + without Shift. */
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

/** The factor to show with next. */
export function factorAfter(factor: number, zoom: Zoom): number {
  switch (zoom) {
    case 'in':
      return FACTORS.find((each) => each > factor + NEARLY) ?? 2
    case 'out':
      return FACTORS.findLast((each) => each < factor - NEARLY) ?? 1
    case 'reset':
      return 1
  }
}

/** The factor that the settings remember, whatever that is; 1 where it is none of ours. */
export const factorFrom = (saved: unknown): number => FACTORS.find((each) => each === saved) ?? 1
