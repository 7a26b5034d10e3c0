/**
 * `npm run look` makes pictures of every view in every state, in `out/look`. With `--docs`, it makes the pictures of the
 * window in README.md and the documentation, `docs/images/*.png`; those of the tray and of a notebook there were taken
 * by hand.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Fixture } from '../look/fixture.ts'
import { FIXTURES } from '../look/fixtures/index.ts'
import { type Emulation, LOCALES, openStage, type Size, STANDARD, type StagedWindow } from '../look/window.ts'
import { ROOT } from '../support/app.ts'
import prepare from '../support/ordinary-user.ts'

const FOLDER = path.join(ROOT, 'out/look')
const PARTS = ['1x', '2x', 'languages', 'large-text', 'forced-colours'] as const
const THEMES = ['light', 'dark'] as const
const OTHERS = LOCALES.slice(1)
/** The greatest height of a picture, in CSS pixels. The rest of a longer list shows nothing new. */
const TALLEST = 1_440
const IN_DOCS = ['sign-in', 'signed-in', 'unreachable']

async function takeForDocs(window: StagedWindow, fixture: Fixture): Promise<void> {
  await window.show(fixture)
  await window.resize(STANDARD)
  writeFileSync(path.join(ROOT, 'docs/images', `${fixture.name}.png`), await window.picture())
}

async function fitToContent({ page, resize }: StagedWindow, size: Partial<Size> = {}): Promise<void> {
  await resize({ ...STANDARD, ...size })
  const content = await page.evaluate(() => document.documentElement.scrollHeight)
  const tallest = TALLEST * (size.text ?? 1)
  await resize({ ...STANDARD, ...size, height: Math.min(tallest, Math.max(STANDARD.height, content)) })
}

async function takeAll(window: StagedWindow, fixture: Fixture): Promise<void> {
  const save = async (part: (typeof PARTS)[number], kind: string) =>
    writeFileSync(path.join(FOLDER, part, `${fixture.name}-${kind}.png`), await window.picture())
  const pair = async (part: (typeof PARTS)[number], emulation: Emulation = {}) => {
    for (const theme of THEMES) {
      await window.emulate({ ...emulation, theme })
      await save(part, theme)
    }
  }
  await window.show(fixture)
  for (const scale of [1, 2] as const) {
    await fitToContent(window, { scale })
    await pair(`${scale}x`)
  }
  if (!fixture.isFullyPictured) return

  await window.emulate({ theme: 'light' })
  await fitToContent(window, { text: 2 })
  await save('large-text', 'light')
  await fitToContent(window)
  await pair('forced-colours', { forcedColors: true })
  for (const locale of OTHERS) {
    await window.show(fixture, { locale })
    await fitToContent(window)
    await save('languages', locale)
  }
}

async function take(): Promise<void> {
  /** The names of the wanted views; if there are none, all are wanted. */
  const wanted = process.argv.slice(2)
  const isForDocs = wanted[0] === '--docs'
  if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
  for (const part of PARTS) mkdirSync(path.join(FOLDER, part), { recursive: true })
  const names = isForDocs ? IN_DOCS : wanted
  const window = await openStage()
  try {
    for (const fixture of FIXTURES.filter(({ name }) => names.length === 0 || names.includes(name))) {
      await (isForDocs ? takeForDocs : takeAll)(window, fixture).catch((error: Error) => {
        throw new Error(`${fixture.name}: ${error.message}`)
      })
    }
  } finally {
    await window.stop()
  }
  writeFileSync(path.join(FOLDER, 'index.html'), overview())
  if (!isForDocs) console.log('The pictures are in out/look/index.html.')
}

function overview(): string {
  const images = (name: string) => THEMES.map((theme) => `<img src="1x/${name}-${theme}.png" alt="">`).join(' ')
  const figures = FIXTURES.map(({ name }) => `<figure><figcaption>${name}</figcaption>${images(name)}</figure>`)
  return `<!doctype html><meta charset="utf-8"><title>Every view in every state</title>${figures.join('')}`
}

const undo = prepare()
try {
  await take()
} finally {
  await undo()
}
