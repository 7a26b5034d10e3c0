import { accessSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { asOrdinaryUser } from './ordinary-user.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The built app and the Electron that runs it, in a folder that an ordinary user can read. */
export interface Installation {
  readonly appFolder: string
  readonly executable: string
  remove(): void
}

/** Copies what would be packaged: the build and the native keychain module. A checkout may lie where only root reads. */
export function install(): Installation {
  const electron = process.env['LATCHKEY_TEST_ELECTRON']
  if (electron === undefined) throw new Error('LATCHKEY_TEST_ELECTRON names no Electron: run the tests with npm test')
  accessSync(path.join(ROOT, 'out/main/main.cjs'))
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-app-'))
  chmodSync(folder, 0o755)
  const appFolder = path.join(folder, 'app')
  mkdirSync(appFolder)
  for (const part of ['package.json', 'out/main', 'out/preload', 'out/renderer', 'node_modules/keytar']) {
    cpSync(path.join(ROOT, part), path.join(appFolder, part), { recursive: true })
  }
  const runtime = path.join(folder, 'electron')
  cpSync(path.dirname(electron), runtime, { recursive: true, preserveTimestamps: true })
  return {
    appFolder,
    executable: asOrdinaryUser(path.join(runtime, path.basename(electron)), folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface LaunchOptions {
  readonly installation: Installation
  readonly dataFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

/** A running app, and all it has printed. */
export interface RunningApp {
  readonly app: ElectronApplication
  readonly printed: () => string
  /** The app's only window, as soon as there is one. */
  window(): Promise<Page>
  quit(): Promise<void>
}

/** Starts the app as a person's desktop would, with Chromium's sandbox, and drives it through Playwright. */
export async function launch({ installation, dataFolder, env, args = [] }: LaunchOptions): Promise<RunningApp> {
  const app = await _electron.launch({
    executablePath: installation.executable,
    args: [installation.appFolder, `--user-data-dir=${dataFolder}`, ...args],
    env: { ...baseEnvironment(), ...env },
    // Without this Playwright adds --no-sandbox.
    chromiumSandbox: true,
    timeout: 60_000,
  })
  let printed = ''
  const child = app.process()
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return {
    app,
    printed: () => printed,
    window: () => app.firstWindow({ timeout: 30_000 }),
    async quit() {
      await app.close()
      if (printed.includes('preload-error')) throw new Error(`the preload script failed:\n${printed}`)
    },
  }
}

/** What a program needs to find its display and its libraries, and nothing of whoever runs the tests. */
function baseEnvironment(): Record<string, string> {
  const names = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'PATH', 'TMPDIR']
  const present = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(present), LANG: 'en_GB.UTF-8', LANGUAGE: 'en' }
}
