/** Finds the time at which a screen first showed its final content. */

export interface Frame {
  /** The time of the frame, by `performance.now()`. */
  readonly at: number
  /** The pixels, with 32 bits each. */
  readonly pixels: Buffer
}

/**
 * The share of the last frame's drawn pixels that a frame must match. A pixel is drawn if its colour isn't the window's
 * background, so an empty window matches none of them.
 */
const DRAWN = 0.95
/** The share of all pixels of the window that a frame must match; a blinking text cursor may differ. */
const ALL = 0.99

const words = ({ buffer, byteOffset, length }: Buffer) => new Uint32Array(buffer, byteOffset, length / 4)

export function differingPixels(one: Buffer, other: Buffer): number {
  const [a, b] = [words(one), words(other)]
  let count = 0
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) count += 1
  return count
}

/**
 * The time of the first frame that matches the last one (see `DRAWN` and `ALL`). `frames` begins with the empty screen.
 * @param width in pixels.
 */
export function paintedAt(frames: readonly Frame[], width: number): number {
  const [empty, last] = [frames[0], frames.at(-1)]
  if (empty === undefined || last === undefined || empty === last) throw new Error('nothing was painted')
  const [before, after] = [words(empty.pixels), words(last.pixels)]
  const window = between(width, after.length, (at) => after[at] !== before[at])
  const background = mostCommon(window.map((at) => after[at] ?? 0))
  const drawn = window.filter((at) => after[at] !== background)
  const isPainted = ({ pixels }: Frame) => {
    const now = words(pixels)
    const share = (of: readonly number[]) => of.filter((at) => now[at] === after[at]).length / of.length
    return share(drawn) >= DRAWN && share(window) >= ALL
  }
  return frames.find(isPainted)?.at ?? last.at
}

/** For each row, all positions between the first and the last pixel for which `differs` is true. */
function between(width: number, length: number, differs: (at: number) => boolean): number[] {
  const found: number[] = []
  for (let row = 0; row < length; row += width) {
    let [left, right] = [row, row + width - 1]
    while (left <= right && !differs(left)) left += 1
    while (right > left && !differs(right)) right -= 1
    for (let at = left; at <= right; at++) found.push(at)
  }
  return found
}

function mostCommon(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0]
}
