/** Shows fixtures in any theme, language, text size and scale, with a stopped clock. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { build } from 'vite'
import type { AppView } from '../../contract/views.ts'
import { startPage } from '../../main/surfaces/app-protocol.ts'
import { install, launch, ROOT } from '../support/app.ts'
import { ordinaryFolder, own } from '../support/ordinary-user.ts'
import { type Fixture, NOW, Person, spokenIn } from './fixture.ts'
import type { Scene, Stage } from './stage.ts'

/** The initial and the smallest size of the window, in CSS pixels. */
export const STANDARD = { width: 420, height: 560 } as const
export const LEAST = { width: 340, height: 420 } as const

/** One locale for each language of the texts. */
export const LOCALES = ['en-GB', 'de-DE', 'fr-FR', 'es-ES'] as const

/** The default text size in pixels. */
const TEXT = 16

export interface Emulation {
  readonly locale?: string
  readonly theme?: 'light' | 'dark'
  readonly forcedColors?: boolean
  readonly reducedMotion?: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
  readonly scale?: number
  /** The scale of the text, as a person sets it. */
  readonly text?: number
}

export interface StagedWindow {
  readonly page: Page
  /** Reloads the page with the fixture's view, and performs its actions. */
  show(fixture: Fixture, emulation?: Emulation): Promise<Person>
  /** Sets the theme, forced colours and reduced motion. The language stays, because changing it needs a reload. */
  emulate(emulation: Emulation): Promise<void>
  resize(size: Size): Promise<void>
  push(view: AppView): Promise<void>
  picture(): Promise<Buffer>
  stop(): Promise<void>
}

export async function openStage(): Promise<StagedWindow> {
  const installation = install()
  writeFileSync(path.join(installation.appFolder, 'out/main/start.cjs'), await builtStage())
  const folder = ordinaryFolder('look')
  const home = path.join(folder.path, 'home')
  own(folder.path)
  const running = await launch({
    installation,
    dataFolder: folder.path,
    env: { HOME: home, XDG_RUNTIME_DIR: folder.path, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    // With these switches, a picture has the same pixels on every display.
    args: ['--force-color-profile=srgb', '--disable-lcd-text'],
  })
  const page = await running.window()
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/London' })
  await page.clock.setFixedTime(NOW)

  const emulate = async ({ theme = 'light', forcedColors = false, reducedMotion = false }: Emulation) => {
    await page.emulateMedia({
      colorScheme: theme,
      forcedColors: forcedColors ? 'active' : 'none',
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    })
  }
  return {
    page,
    emulate,
    async resize(size) {
      await resize(tools, size)
      const wanted = [size.width, size.height, TEXT * (size.text ?? 1)] as const
      await within(page.evaluate(untilResized, wanted), 'The page did not get the wanted size.')
    },
    push: (view) => running.app.evaluate((_, next) => (globalThis as unknown as OnStage).stage.push(next), view),
    async show(fixture, emulation = {}) {
      const { locale = 'en-GB' } = emulation
      const texts = await spokenIn(locale)
      const scene: Scene = { view: fixture.view(texts), answers: fixture.answers ?? {} }
      await running.app.evaluate((_, next) => {
        const { stage } = globalThis as unknown as OnStage
        stage.scene = next
      }, scene)
      await emulate(emulation)
      await page.goto(startPage(locale))
      await within(page.evaluate(untilShown), 'The page does not show exactly one main heading.')
      const person = new Person(page, texts)
      await fixture.act?.(person)
      // In the corner, the pointer isn't over a control.
      await page.mouse.move(0, 0)
      return person
    },
    async picture() {
      await page.evaluate(async () => {
        for (const animation of document.getAnimations()) animation.finish()
        // A change is on the screen with the second frame.
        for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
      })
      const { data } = await tools.send('Page.captureScreenshot', { format: 'png' })
      return Buffer.from(data, 'base64')
    },
    async stop() {
      await running.quit()
      folder.remove()
      installation.remove()
    },
  }
}

interface OnStage {
  readonly stage: Stage
}

async function resize(tools: CDPSession, { width, height, scale = 1, text = 1 }: Size): Promise<void> {
  await tools.send('Page.setFontSizes', { fontSizes: { standard: TEXT * text, fixed: 13 * text } })
  await tools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false })
}

const WAIT_MS = 30_000

/** Throws if the promise takes longer than `WAIT_MS`. */
async function within<T>(promise: Promise<T>, problem: string): Promise<T> {
  const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(problem)
  })
  return Promise.race([promise, late])
}

// These two functions run in the page. Unlike locators, they don't load Playwright's selector engine into each page.

const untilShown = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const headings = document.querySelectorAll('h1')
      if (headings.length === 1 && headings[0]?.checkVisibility()) resolve()
      else requestAnimationFrame(look)
    }
    look()
  })

const untilResized = ([width, height, text]: readonly [number, number, number]): Promise<void> =>
  new Promise((resolve) => {
    const isResized = () =>
      innerWidth === width &&
      innerHeight === height &&
      getComputedStyle(document.documentElement).fontSize === `${text}px`
    const look = () => (isResized() ? resolve() : requestAnimationFrame(look))
    look()
  })

/** The stage as one file, which Electron loads. */
async function builtStage(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    build: {
      ssr: 'test/look/stage.ts',
      write: false,
      target: 'node20.18',
      rolldownOptions: { external: ['electron'], output: { format: 'cjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  })
  const [output] = [result].flat()
  if (output === undefined || !('output' in output)) throw new Error('the stage was not built')
  return output.output[0].code
}
