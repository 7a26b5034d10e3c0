/**
 * Draws the app's and the tray's icons: `node main/shell/icons/make.mjs`. One key; in the tray in five shapes,
 * which can be told apart without colour and at 16 pixels. Needs `rsvg-convert` (Debian: librsvg2-bin); the
 * pictures it makes are committed.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** At least 3:1 on a black panel and on a white one (WCAG 2.2, 1.4.11): nobody tells what colour a panel has. */
const PANEL_BRASS = '#a5761c'
const BRASS = '#e0b560'
const INK = '#12161c'
const BLACK = '#000000'

const shaft = '<path d="M9.6 10.4 17 3M14.2 5.8l2.6 2.6M11.4 8.6l1.9 1.9"/>'
const bow = (attributes = '') => `<circle cx="6.6" cy="13.4" r="3.9" ${attributes}/>`

/** @type {Record<string, string>} */
const shapes = {
  signedIn: `${bow('fill="currentColor"')}${shaft}`,
  // Turning arcs in the two corners that the key leaves free.
  renewing: `${bow('fill="currentColor"')}${shaft}<path d="M1.7 7.7A8.6 8.6 0 0 1 9 1.4M18.4 11.9A8.6 8.6 0 0 1 11.6 18.5" stroke-width="1.8"/>`,
  unreachable: `${bow('stroke-dasharray="16.4 8.2" stroke-dashoffset="-.9"')}<path d="M11.6 8.4 17 3M14.2 5.8l2.6 2.6"/>`,
  needsYou: `${bow()}${shaft}<circle cx="15.7" cy="15.7" r="3.4" fill="currentColor" stroke="none"/>`,
  signedOut: `${bow()}${shaft}`,
}

/** @param {string} shape @param {string} colour @param {string} [attributes] */
const key = (shape, colour, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" color="${colour}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" ${attributes}>${shape}</svg>`

const app = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect x="32" y="32" width="448" height="448" rx="104" fill="${INK}"/>${key(`${bow()}${shaft}`, BRASS, 'x="96" y="96" width="320" height="320"')}</svg>`

/** @param {string} svg @param {number} size @param {string} name */
const draw = (svg, size, name) => {
  const file = fileURLToPath(new URL(name, import.meta.url))
  execFileSync('rsvg-convert', ['-w', String(size), '-h', String(size), '-o', file], { input: svg })
}

for (const [name, shape] of Object.entries(shapes)) {
  // Windows and Linux: the mark's own colour, in the sizes that panels ask for.
  draw(key(shape, PANEL_BRASS), 24, `${name}.png`)
  draw(key(shape, PANEL_BRASS), 48, `${name}@2x.png`)
  // macOS paints template images itself, and looks at their shape alone (Human Interface Guidelines: 16 pt).
  draw(key(shape, BLACK), 16, `${name}Template.png`)
  draw(key(shape, BLACK), 32, `${name}Template@2x.png`)
}
draw(app, 512, 'app.png')
draw(app, 128, 'window.png')
