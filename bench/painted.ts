/** Finds out when a screen first showed its final content. */

export interface Frame {
  /** The time of the frame (`performance.now()`). */
  readonly at: number
  /** The pixels of the frame, 32 bits each. */
  readonly pixels: Buffer
}

/**
 * A frame matches the last frame if at least these shares of pixels match: `DRAWN` of the pixels that differ from the
 * window's background, and `ALL` of the window's pixels. The other pixels may be a blinking text cursor.
 */
const DRAWN = 0.95
const ALL = 0.99

const words = ({ buffer, byteOffset, length }: Buffer) => new Uint32Array(buffer, byteOffset, length / 4)

/** The number of pixels that differ between two frames. */
export function unlike(one: Buffer, other: Buffer): number {
  const [a, b] = [words(one), words(other)]
  let count = 0
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) count += 1
  return count
}

/**
 * The time of the first frame that matches the last one. `frames` begins with the empty screen. Enough of the window's
 * pixels must match. Enough of the drawn pixels (those that differ from the background) must match too, so that an
 * empty window does not count as painted.
 * @param width The number of pixels in a row.
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

/** The positions of all pixels in each row between the first and the last one for which `differs` is true. */
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
