/** `npm run look` makes a picture of every view in every state, in `out/look`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Fixture } from '../look/fixture.ts'
import { FULLY_PICTURED } from '../look/fixtures/fully-pictured.ts'
import { FIXTURES, GROUPS } from '../look/fixtures/index.ts'
import { openStage, type Size, STANDARD, type StagedWindow, type Surroundings } from '../look/window.ts'
import { ROOT } from '../support/app.ts'
import prepare from '../support/ordinary-user.ts'
import { Picture } from '../support/picture.ts'

const FOLDER = path.join(ROOT, 'out/look')
const PARTS = ['1x', '2x', 'languages', 'large-text', 'forced-colours'] as const
const THEMES = ['light', 'dark'] as const
const OTHERS = ['de-DE', 'fr-FR', 'es-ES'] as const
/** The gap between pictures in CSS pixels. Neither theme has the gap's colour. */
const GAP = 8
const GAP_COLOUR = [138, 143, 152] as const
/** The greatest height in CSS pixels. Longer lists show nothing new. */
const TALLEST = 1_440

let bytes = 0
let count = 0

/** Saves pictures side by side. */
function save(name: string, files: readonly Buffer[], scale: number): void {
  const pictures = files.map((file) => Picture.decode(file))
  const gap = GAP * scale
  const width = pictures.reduce((sum, picture) => sum + picture.width, gap * (pictures.length - 1))
  const whole = new Picture(width, Math.max(...pictures.map(({ height }) => height)))
  whole.pixels.fill(Buffer.from(GAP_COLOUR))
  let x = 0
  for (const picture of pictures) {
    whole.lay(picture, x, 0)
    x += picture.width + gap
  }
  const file = whole.encode()
  writeFileSync(path.join(FOLDER, `${name}.png`), file)
  bytes += file.length
  count += 1
}

/** Gives the window its initial size, or makes it taller if the content needs that. */
async function fitToContent({ page, resize }: StagedWindow, size: Partial<Size> = {}): Promise<void> {
  await resize({ ...STANDARD, ...size })
  const content = await page.evaluate(() => document.documentElement.scrollHeight)
  const tallest = TALLEST * (size.text ?? 1)
  await resize({ ...STANDARD, ...size, height: Math.min(tallest, Math.max(STANDARD.height, content)) })
}

async function takeAll(window: StagedWindow, fixture: Fixture): Promise<void> {
  const pair = async (folder: string, scale: number, surroundings: Surroundings = {}) => {
    const pictures: Buffer[] = []
    for (const theme of THEMES) {
      await window.surround({ ...surroundings, theme })
      pictures.push(await window.picture())
    }
    save(`${folder}/${fixture.name}`, pictures, scale)
  }
  await window.show(fixture)
  for (const scale of [1, 2]) {
    await fitToContent(window, { scale })
    await pair(`${scale}x`, scale)
  }
  if (!FULLY_PICTURED.has(fixture.name)) return

  await window.surround({ theme: 'light' })
  await fitToContent(window, { text: 2 })
  save(`large-text/${fixture.name}`, [await window.picture()], 1)
  await fitToContent(window)
  await pair('forced-colours', 1, { forcedColors: true })
  const pictures: Buffer[] = []
  for (const locale of OTHERS) {
    await window.show(fixture, { locale })
    await fitToContent(window)
    pictures.push(await window.picture())
  }
  save(`languages/${fixture.name}`, pictures, 1)
}

async function take(): Promise<void> {
  const began = performance.now()
  /** The names of the wanted views; if there are none, all are wanted. */
  const wanted = process.argv.slice(2)
  if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
  for (const part of PARTS) mkdirSync(path.join(FOLDER, part), { recursive: true })
  const window = await openStage()
  try {
    for (const fixture of FIXTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      await takeAll(window, fixture).catch((error: Error) => {
        throw new Error(`${fixture.name}: ${error.message}`)
      })
    }
  } finally {
    await window.stop()
  }
  writeFileSync(path.join(FOLDER, 'index.html'), overview())
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  console.log(`${count} pictures, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds} s: out/look/index.html`)
}

/** A page with every state and its name. */
function overview(): string {
  const figure = ({ name, about }: Fixture) => `<figcaption>${about}</figcaption><img src="1x/${name}.png" alt="">`
  const groups = GROUPS.map(
    ({ title, fixtures }) => `<h2>${title}</h2>${fixtures.map((each) => `<figure>${figure(each)}</figure>`).join('')}`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Every view in every state</title>${groups.join('')}`
}

const undo = prepare()
try {
  await take()
} finally {
  await undo()
}
