import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Colour, contrast, Picture } from '../../../test/support/picture.ts'

const ICONS = ['signedIn', 'refreshing', 'unreachable', 'attention', 'signedOut'] as const

/** The colours of dark and light panels on common desktops. */
const PANELS: Readonly<Record<string, Colour>> = {
  black: [0, 0, 0],
  'GNOME, dark': [29, 29, 32],
  'Windows, dark': [32, 32, 32],
  'Xfce, dark': [43, 43, 43],
  'KDE, light': [239, 240, 241],
  'Windows, light': [238, 238, 238],
  white: [255, 255, 255],
}
const onPanels = ICONS.flatMap((icon) => Object.keys(PANELS).map((panel) => [icon, panel] as const))

function pixelsOf(file: string, panel: Colour): readonly Colour[] {
  const { pixels } = Picture.decode(readFileSync(new URL(file, import.meta.url)), panel)
  return Array.from({ length: pixels.length / 3 }, (_, at): Colour => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at * 3)
    return [red, green, blue]
  })
}

const luminance = ([red, green, blue]: Colour) => Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue)

describe.each(['.png', '@2x.png'])('at the size of %s', (size) => {
  it.each(onPanels)('the icon %s contrasts at 4.5:1 or more with the panel %s', (icon, panel) => {
    const ground = PANELS[panel] ?? [0, 0, 0]
    const drawn = pixelsOf(icon + size, ground).filter((pixel) => contrast(pixel, ground) > 1.05)
    const distinct = drawn.filter((pixel) => contrast(pixel, ground) >= 4.5)
    // A quarter of the drawn pixels is enough. On a dark panel these are the brass, and on a light panel the outline.
    expect(distinct.length / drawn.length).toBeGreaterThan(0.25)
  })

  it.each(Object.keys(PANELS))('the icons differ even without colour on the panel %s', (panel) => {
    const ground = PANELS[panel] ?? [0, 0, 0]
    const shades = ICONS.map((icon) => pixelsOf(icon + size, ground).map(luminance))
    for (const [one, first] of shades.entries()) {
      for (const other of shades.slice(one + 1)) {
        const different = first.filter((shade, at) => Math.abs(shade - (other[at] ?? 0)) > 64)
        // The two most similar shapes are those with and without a hole in the bow. They differ in about a thirtieth of
        // the pixels.
        expect(different.length).toBeGreaterThan(first.length / 32)
      }
    }
  })
})
