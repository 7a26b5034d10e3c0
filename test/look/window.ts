import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
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

export const LOCALES = ['en-GB', 'de-DE', 'fr-FR', 'es-ES'] as const

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
  readonly text?: number
}

export type StagedWindow = Awaited<ReturnType<typeof openStage>>

export async function openStage() {
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

  /** Sets the theme, forced colours and reduced motion. The language stays, because changing it needs a reload. */
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
    async resize({ width, height, scale = 1, text = 1 }: Size) {
      await tools.send('Page.setFontSizes', { fontSizes: { standard: TEXT * text, fixed: 13 * text } })
      const metrics = { width, height, deviceScaleFactor: scale, mobile: false }
      await tools.send('Emulation.setDeviceMetricsOverride', metrics)
      await until(page, hasSize, [width, height, TEXT * text] as const, 'The page did not get the wanted size.')
    },
    push: (view: AppView) =>
      running.app.evaluate((_, next) => (globalThis as unknown as OnStage).stage.push(next), view),
    /** Reloads the page with the fixture's view, and performs its actions. */
    async show(fixture: Fixture, emulation: Emulation = {}) {
      const { locale = 'en-GB' } = emulation
      const texts = await spokenIn(locale)
      const scene: Scene = { view: fixture.view(texts), answers: fixture.answers ?? {} }
      await running.app.evaluate((_, next) => {
        const { stage } = globalThis as unknown as OnStage
        stage.scene = next
      }, scene)
      await emulate(emulation)
      await page.goto(startPage(locale))
      await until(page, isShown, undefined, 'The page does not show exactly one main heading.')
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

const WAIT_MS = 30_000

/** Waits in this process: unlike locators, this doesn't load Playwright's selector engine into each page. */
async function until<T>(page: Page, isSo: (wanted: T) => boolean, wanted: T, problem: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!(await page.evaluate(isSo as (wanted: unknown) => boolean, wanted))) {
    if (Date.now() > end) throw new Error(problem)
    await sleep(5)
  }
}

// These two functions run in the page.

const isShown = (): boolean => {
  const headings = document.querySelectorAll('h1')
  return headings.length === 1 && headings[0]?.checkVisibility() === true
}

const hasSize = ([width, height, text]: readonly [number, number, number]): boolean =>
  innerWidth === width && innerHeight === height && getComputedStyle(document.documentElement).fontSize === `${text}px`

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
