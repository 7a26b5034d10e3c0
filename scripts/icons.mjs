/**
 * `node scripts/icons.mjs` draws the icons of the app and the tray. The tray's key has five shapes, to tell apart
 * without colour and at 16 pixels. Needs `rsvg-convert` (Debian: librsvg2-bin); the pictures are committed.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { inProject } from './run/project.mjs'

/**
 * No program can know the colour of a panel. This brass contrasts with a dark panel, and the ink outline with a light
 * one, each at 4.5:1 or more.
 */
const BRASS = '#e0b560'
const RED = '#ff6b61'
const INK = '#12161c'
const BLACK = '#000000'

const shaft = '<path d="M9.6 10.4 17 3M14.2 5.8l2.6 2.6M11.4 8.6l1.9 1.9"/>'
const bow = (attributes = '') => `<circle cx="6.6" cy="13.4" r="3.9" ${attributes}/>`

/** For `attention`: red in colour icons; in others, its position and size make it stand out. */
const badge = '<circle class="badge" cx="15.3" cy="15.3" r="3.6" fill="currentColor" stroke="none"/>'

/** @type {Record<string, string>} */
const shapes = {
  signedIn: `${bow('fill="currentColor"')}${shaft}`,
  // Two arcs suggest rotation. They use the corners that the key leaves empty.
  refreshing: `${bow('fill="currentColor"')}${shaft}<path d="M1.7 7.7A8.6 8.6 0 0 1 9 1.4M18.4 11.9A8.6 8.6 0 0 1 11.6 18.5" stroke-width="1.8"/>`,
  unreachable: `${bow('stroke-dasharray="16.4 8.2" stroke-dashoffset="-.9"')}<path d="M11.6 8.4 17 3M14.2 5.8l2.6 2.6"/>`,
  attention: `${bow()}${shaft}${badge}`,
  signedOut: `${bow()}${shaft}`,
}

/** @param {string} shape @param {string} colour @param {string} [attributes] */
const key = (shape, colour, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" color="${colour}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" ${attributes}>${shape}</svg>`

/**
 * The key in colour. The view box is larger than that of `key`, so that the outline fits.
 * @param {string} shape
 */
const outlined = (shape) => {
  const around = shape
    .replace('stroke-width="1.8"', 'stroke-width="4"')
    .replace('stroke="none"', 'stroke="currentColor" stroke-width="2.2"')
  // An ink ring separates the badge from the key.
  const inside = shape
    .replace('class="badge"', `color="${RED}"`)
    .replace('stroke="none"', `stroke="${INK}" stroke-width="1.1"`)
  const outline = `<g color="${INK}" stroke-width="4.2">${around}</g>`
  return key(`${outline}${inside}`, BRASS).replace('"0 0 20 20"', '"-.6 -.6 21.2 21.2"')
}

/** @param {number} margin on each side; the whole icon is 512 wide */
const app = (margin) => {
  const side = 512 - 2 * margin
  const inner = `x="${margin + side / 7}" y="${margin + side / 7}" width="${(side * 5) / 7}" height="${(side * 5) / 7}"`
  const ground = `<rect x="${margin}" y="${margin}" width="${side}" height="${side}" rx="${(side * 13) / 56}" fill="${INK}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${ground}${key(`${bow()}${shaft}`, BRASS, inner)}</svg>`
}

/** @param {string} svg @param {number} size */
const draw = (svg, size) => execFileSync('rsvg-convert', ['-w', String(size), '-h', String(size)], { input: svg })

/** @param {string} name @param {Uint8Array} content */
const save = (name, content) => writeFileSync(inProject('main', 'surfaces', 'icons', name), content)

/**
 * A Windows icon file: a directory, then the pictures as PNG (Microsoft: "Icons").
 * @param {string} svg @param {number[]} sizes
 */
const ico = (svg, sizes) => {
  const pictures = sizes.map((size) => draw(svg, size))
  const directory = Buffer.alloc(6 + 16 * sizes.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(sizes.length, 4)
  let offset = directory.length
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index
    const size = sizes[index] ?? 0
    // 0 means 256.
    directory.writeUInt8(size % 256, at)
    directory.writeUInt8(size % 256, at + 1)
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(32, at + 6)
    directory.writeUInt32LE(picture.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += picture.length
  }
  return Buffer.concat([directory, ...pictures])
}

/**
 * A macOS icon file: each picture after its type code and its length.
 * @param {string} svg
 */
const icns = (svg) => {
  /** @type {[string, number][]} Each type code, and the width of its picture in pixels. */
  const kinds = [
    ['ic11', 32],
    ['ic12', 64],
    ['ic07', 128],
    ['ic13', 256],
    ['ic08', 256],
    ['ic14', 512],
    ['ic09', 512],
    ['ic10', 1024],
  ]
  const parts = kinds.map(([kind, size]) => chunk(kind, draw(svg, size)))
  return chunk('icns', Buffer.concat(parts))
}

/** @param {string} kind @param {Uint8Array} content */
const chunk = (kind, content) => {
  const head = Buffer.alloc(8)
  head.write(kind, 'latin1')
  head.writeUInt32BE(8 + content.length, 4)
  return Buffer.concat([head, content])
}

for (const [name, shape] of Object.entries(shapes)) {
  // Linux: in colour, in the sizes that panels ask for.
  save(`${name}.png`, draw(outlined(shape), 24))
  save(`${name}@2x.png`, draw(outlined(shape), 48))
  // Windows: 16 pixels at 100 %, 125 %, 150 % and 200 %.
  save(`${name}.ico`, ico(outlined(shape), [16, 20, 24, 32]))
  // macOS colours template images itself, and uses only their shape (Human Interface Guidelines: 16 pt).
  save(`${name}Template.png`, draw(key(shape, BLACK), 16))
  save(`${name}Template@2x.png`, draw(key(shape, BLACK), 32))
}
save('app.png', draw(app(32), 512))
save('window.png', draw(app(32), 128))
save('app.ico', ico(app(32), [16, 20, 24, 32, 48, 64, 128, 256]))
// macOS icons have wider margins (Human Interface Guidelines: 824 of 1024).
save('app.icns', icns(app(50)))
