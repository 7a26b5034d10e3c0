/**
 * Draws the tray's icons: `node main/shell/icons/make.mjs`. One key in five shapes, which can be told apart
 * without colour. Needs `rsvg-convert` (Debian: librsvg2-bin); the pictures it makes are committed.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BRASS = '#c8922a'
const BLACK = '#000000'

const shaft = '<path d="M9.6 10.4 17 3M14.2 5.8l2.6 2.6M11.4 8.6l1.9 1.9"/>'
const bow = (attributes = '') => `<circle cx="6.6" cy="13.4" r="3.9" ${attributes}/>`

/** @type {Record<string, string>} */
const shapes = {
  signedIn: `${bow('fill="currentColor"')}${shaft}`,
  renewing: `${bow('fill="currentColor"')}${shaft}<path d="M18.7 15.6a3.1 3.1 0 1 1-1-2.5" stroke-width="1.7"/>`,
  unreachable: `${bow('stroke-dasharray="15.5 9" stroke-dashoffset="2"')}<path d="M11 9 17 3M14.2 5.8l2.6 2.6"/>`,
  needsYou: `${bow()}${shaft}<circle cx="15.6" cy="15.6" r="3.2" fill="currentColor" stroke="none"/>`,
  signedOut: `${bow()}${shaft}`,
}

const svg = (shape, colour) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" color="${colour}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`

const draw = (shape, colour, size, name) =>
  execFileSync('rsvg-convert', ['-w', String(size), '-h', String(size), '-o', path(name)], {
    input: svg(shape, colour),
  })
const path = (name) => fileURLToPath(new URL(name, import.meta.url))

for (const [name, shape] of Object.entries(shapes)) {
  // Windows and Linux: the mark's own colour, in the sizes that panels ask for.
  draw(shape, BRASS, 24, `${name}.png`)
  draw(shape, BRASS, 48, `${name}@2x.png`)
  // macOS paints template images itself, and looks at their shape alone (Human Interface Guidelines: 16 pt).
  draw(shape, BLACK, 16, `${name}Template.png`)
  draw(shape, BLACK, 32, `${name}Template@2x.png`)
}
