/** Reads and writes PNG files (ISO/IEC 15948). Written files use a small palette, so that they need few bytes. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue, row by row. */
  readonly pixels: Uint8Array
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const MOST_COLOURS = 48
const RGB = 2
const PALETTE = 3
const RGBA = 6

/** Reads a PNG as Chromium writes it: 8 bits per channel, not interlaced. */
export function decode(file: Buffer): Picture {
  const { width, height, step, raw } = read(file)
  if (step === 3) return { width, height, pixels: raw }
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at += 1) pixels.set(raw.subarray(at * 4, at * 4 + 3), at * 3)
  return { width, height, pixels }
}

/** The picture on a background of this colour. */
export function decodeOn(ground: readonly [number, number, number], file: Buffer): Picture {
  const { width, height, step, raw } = read(file)
  if (step !== 4) throw new Error('a PNG without transparency')
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = raw.subarray(at * 4, at * 4 + 4)
    const seen = [red, green, blue].map((value, channel) => {
      const below = ground[channel] ?? 0
      return Math.round(below + ((value - below) * alpha) / 255)
    })
    pixels.set(seen, at * 3)
  }
  return { width, height, pixels }
}

function read(file: Buffer) {
  const data: Buffer[] = []
  let header: Buffer = Buffer.alloc(0)
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const content = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = content
    if (type === 'IDAT') data.push(content)
    at += length + 12
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits, kind, , , interlaced] = header.subarray(8)
  if (bits !== 8 || (kind !== RGB && kind !== RGBA) || interlaced !== 0) throw new Error('an unusual PNG')
  const step = kind === RGB ? 3 : 4
  return { width, height, step, raw: unfilter(inflateSync(Buffer.concat(data)), width * step, height, step) }
}

/**
 * Undoes the filters (section 9). Each line begins with the number of its filter. Each other byte is the difference
 * between a colour value and a guess, which is based on the left, upper and upper left neighbours.
 */
function unfilter(lines: Uint8Array, stride: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y += 1) {
    const guess = GUESSES[lines[y * (stride + 1)] ?? 0]
    if (guess === undefined) throw new Error('an unknown filter')
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < step ? 0 : (out[at - step] ?? 0)
      const up = y === 0 ? 0 : (out[at - stride] ?? 0)
      const corner = x < step || y === 0 ? 0 : (out[at - stride - step] ?? 0)
      out[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + guess(left, up, corner)
    }
  }
  return out
}

const GUESSES: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [l, u, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (l <= u && l <= c) return left
  return u <= c ? up : corner
}

/** Puts pictures side by side, with gaps and padding in this colour. */
export function beside(pictures: readonly Picture[], gap: number, colour: readonly number[]): Picture {
  const width = pictures.reduce((sum, picture) => sum + picture.width, gap * (pictures.length - 1))
  const height = Math.max(...pictures.map((picture) => picture.height))
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = colour[at % 3] ?? 0
  let x = 0
  for (const picture of pictures) {
    const stride = picture.width * 3
    for (let y = 0; y < picture.height; y += 1) {
      pixels.set(picture.pixels.subarray(y * stride, (y + 1) * stride), (y * width + x) * 3)
    }
    x += picture.width + gap
  }
  return { width, height, pixels }
}

/** Reduces the colours to a small palette: flat areas stay exact, the edges of letters are approximate. */
export function encode({ width, height, pixels }: Picture): Buffer {
  const counts = new Map<number, number>()
  const colourAt = (at: number) => ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
  for (let at = 0; at < pixels.length; at += 3) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1)
  const { palette, index } = reduce([...counts].sort(([a, n], [b, m]) => m - n || a - b))

  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + 1 + x] = index.get(colourAt((y * width + x) * 3)) ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, PALETTE, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const channels = (colour: number): readonly [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
]

/**
 * The palette, and the index of each colour in it. At each step, the palette gets the colour for which frequency times
 * distance from the palette is greatest.
 */
function reduce(colours: readonly (readonly [colour: number, count: number])[]) {
  const palette: number[] = []
  const nearest = colours.map(() => ({ index: 0, distance: Number.POSITIVE_INFINITY }))
  let next: number | undefined = 0
  while (next !== undefined && palette.length < MOST_COLOURS) {
    const chosen: number = colours[next]?.[0] ?? 0
    palette.push(chosen)
    let most = 0
    next = undefined
    for (const [at, [colour, count]] of colours.entries()) {
      const best = nearest[at]
      if (best === undefined) continue
      const distance = distanceOf(colour, chosen)
      if (distance < best.distance) Object.assign(best, { index: palette.length - 1, distance })
      if (best.distance * count > most) [most, next] = [best.distance * count, at]
    }
  }
  return { palette, index: new Map(colours.map(([colour], at) => [colour, nearest[at]?.index ?? 0])) }
}

function distanceOf(one: number, other: number): number {
  const [red, green, blue] = channels(one)
  const [r, g, b] = channels(other)
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(content.length, 0)
  out.set(body, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
