import { readFileSync } from 'node:fs'

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Colour = readonly [red: number, green: number, blue: number]

/** A picture with three bytes a pixel: red, green, blue. */
export class Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer

  constructor(width: number, height: number, pixels = Buffer.alloc(width * height * 3, 0xff)) {
    this.width = width
    this.height = height
    this.pixels = pixels
  }

  at(x: number, y: number): Colour {
    const [red = 0, green = 0, blue = 0] = this.pixels.subarray((y * this.width + x) * 3)
    return [red, green, blue]
  }

  cut({ x, y, width, height }: Area): Picture {
    const cut = new Picture(width, height)
    for (let row = 0; row < height; row++) {
      const from = ((y + row) * this.width + x) * 3
      this.pixels.copy(cut.pixels, row * width * 3, from, from + width * 3)
    }
    return cut
  }

  /** The rectangle around all pixels that don't have the colour `ground`; `undefined` if there are none. */
  drawing(ground: Colour): Area | undefined {
    let [left, top, right, bottom] = [this.width, this.height, -1, -1]
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        if (this.#is(ground, (y * this.width + x) * 3)) continue
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
    }
    return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  }

  #is([red, green, blue]: Colour, index: number): boolean {
    const { pixels } = this
    return pixels[index] === red && pixels[index + 1] === green && pixels[index + 2] === blue
  }
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Colour, other: Colour): number {
  const luminance = (colour: Colour) => {
    const [red = 0, green = 0, blue = 0] = colour.map((byte) => {
      const part = byte / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Reads the screen from Xvfb's file: XWD (XWDFile.h), 32 bits a pixel, blue first. */
export function readScreen(file: string): Picture {
  const content = readFileSync(file)
  const field = (number: number) => content.readUInt32BE(number * 4)
  const [headerSize, width, height] = [field(0), field(4), field(5)]
  const [byteOrder, bitsPerPixel, bytesPerLine, colours] = [field(7), field(11), field(12), field(19)]
  if (byteOrder !== 0 || bitsPerPixel !== 32) throw new Error(`${file} is no screen of this kind`)
  const start = headerSize + colours * 12
  const picture = new Picture(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = start + y * bytesPerLine + x * 4
      const to = (y * width + x) * 3
      for (const byte of [0, 1, 2]) picture.pixels[to + byte] = content[from + 2 - byte] ?? 0
    }
  }
  return picture
}
