import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, type Page } from 'playwright-core'
import { asOrdinaryUser, ordinaryUser } from './ordinary-user.ts'

export const ROOT = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))

const ERRORS = /preload-error|render-process-gone|uncaught|unhandled/i
/** How long quitting may take. The app itself waits ten seconds for pending work. */
const TIMEOUT_MS = 20_000

export interface Installation {
  /** The folder of the built app, or the folder in which to start a packaged one. */
  readonly appFolder: string
  readonly executable: string
  /** A packaged app's own files. The executable finds them by itself. */
  readonly archive?: string
  remove(): void
}

/** Copies the packaged app that the tests drive, or else the build, because perhaps only root can read the checkout. */
export function install(packaged = packagedApp()): Installation {
  return packaged === undefined ? installBuild() : installPackaged(packaged)
}

const packagedApp = (): string | undefined => process.env['LATCHKEY_TEST_PACKAGED'] || undefined

/** True if the tests drive a packaged app. Only a packaged app can start at login. */
export const isPackaged = (): boolean => packagedApp() !== undefined

const installPackaged = (packaged: string): Installation =>
  inFolder((folder) => {
    const executable = runnable(packaged, folder)
    lendSandbox(path.join(folder, 'electron'))
    return { appFolder: folder, executable, archive: archiveOf(packaged, folder) }
  })

function inFolder(make: (folder: string) => Omit<Installation, 'remove'>): Installation {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-app-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    chmodSync(folder, 0o755)
    return { ...make(folder), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Copies the build, even if the tests drive a packaged app. */
export function installBuild(): Installation {
  const electron = process.env['LATCHKEY_TEST_ELECTRON']
  if (electron === undefined) throw new Error('LATCHKEY_TEST_ELECTRON names no Electron: run the tests with npm test')
  return inFolder((folder) => {
    const appFolder = path.join(folder, 'app')
    for (const part of ['package.json', 'out/main', 'out/preload', 'out/renderer', 'node_modules/keytar']) {
      mkdirSync(path.dirname(path.join(appFolder, part)), { recursive: true })
      place(path.join(ROOT, part), path.join(appFolder, part), { link: false })
    }
    return { appFolder, executable: runnable(electron, folder) }
  })
}

export interface LaunchOptions {
  readonly installation: Installation
  /** If undefined, the environment decides where the data folder is. */
  readonly dataFolder: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

export type RunningApp = Awaited<ReturnType<typeof launch>>

/** Starts the app as a desktop would, with Chromium's sandbox. Playwright drives the app. */
export async function launch(options: LaunchOptions) {
  const { executable, appFolder } = options.installation
  const started = capture(executable)
  const app = await _electron
    .launch({
      executablePath: executable,
      args: argumentsOf(options),
      env: environmentOf(options),
      cwd: appFolder,
      // By default, Playwright adds --no-sandbox.
      chromiumSandbox: true,
      timeout: 60_000,
    })
    .catch((error: Error) => {
      throw new Error(`the app did not start: ${error.message}\n${started.printed()}`)
    })
    .finally(started.done)
  const child = app.process()
  const closed = new Promise<void>((resolve) => app.once('close', () => resolve()))

  let isSettled = false

  const end = async ({ byItsOwnHand }: { byItsOwnHand: boolean }) => {
    isSettled = true
    const isInTime = await endsInTime(child, closed)
    const { exitCode, signalCode } = child
    const isRegular = exitCode === 0 || (byItsOwnHand && signalCode === 'SIGKILL')
    if (isInTime && isRegular && !ERRORS.test(started.printed())) return
    const how = isInTime ? `ended with ${signalCode ?? exitCode}` : 'did not end'
    throw new Error(`the app was not well, and ${how}. It said:\n${started.printed()}`)
  }
  return {
    app,
    pid: child.pid ?? 0,
    printed: started.printed,
    window: async (): Promise<Page> => app.windows()[0] ?? (await app.waitForEvent('window', { timeout: 30_000 })),
    /** Quits the app and waits for its end. Rejects if the app wasn't healthy, because the test then proves nothing. */
    async quit() {
      // `close` fails if the app has already ended. `end` reports how it ended.
      void app.close().catch(() => {})
      // While the keychain's unlock prompt is open, only a signal ends the app.
      await end({ byItsOwnHand: true })
    },
    ended: () => end({ byItsOwnHand: false }),
    get isSettled() {
      return isSettled
    },
  }
}

/** Starts the app without Playwright, as a person would, for example a second time. */
export function startUndriven(options: LaunchOptions) {
  const { executable, appFolder } = options.installation
  const child = spawn(executable, argumentsOf(options), {
    env: environmentOf(options),
    cwd: appFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  return {
    pid: child.pid ?? 0,
    /** The exit code, or null after a signal. */
    ended: once(child, 'exit').then(() => child.exitCode),
    printed: () => printed,
    end: () => {
      if (child.exitCode === null && child.signalCode === null) endGroup(child)
    },
  }
}

export const argumentsOf = ({ installation, dataFolder, args = [] }: Omit<LaunchOptions, 'env'>) => [
  ...(installation.archive === undefined ? [installation.appFolder] : []),
  ...(dataFolder === undefined ? [] : [`--user-data-dir=${dataFolder}`]),
  ...args,
]

/** `env`, the language, and only these variables of the user who runs the tests. */
function environmentOf({ env }: LaunchOptions): Record<string, string> {
  const names = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'PATH', 'TMPDIR']
  const present = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(present), LANG: 'en_GB.UTF-8', LANGUAGE: 'en', ...env }
}

/** Records a process's output from its start, because Playwright returns the process only after connecting. */
function capture(executable: string): { printed(): string; done(): void } {
  let printed = ''
  const listen = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    // Node sends this message before the process starts, when its streams don't exist yet.
    queueMicrotask(() => {
      if (child.spawnfile !== executable) return
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          printed += chunk.toString()
        })
      }
    })
  }
  subscribe('child_process', listen)
  return { printed: () => printed, done: () => void unsubscribe('child_process', listen) }
}

const archiveOf = (packaged: string, folder: string): string =>
  process.platform === 'linux'
    ? path.join(folder, 'electron', 'resources', 'app.asar')
    : path.join(path.dirname(packaged), process.platform === 'darwin' ? '../Resources' : 'resources', 'app.asar')

/** The program that starts Electron. On Linux, it is a script in `folder` that runs Electron as the ordinary user. */
function runnable(electron: string, folder: string): string {
  if (process.platform !== 'linux') return electron
  const runtime = path.join(folder, 'electron')
  place(path.dirname(electron), runtime, { link: true })
  return asOrdinaryUser(path.join(runtime, path.basename(electron)), folder)
}

/** Gives an app that isn't installed the sandbox helper of the tests' Electron, setuid if the system needs that. */
export function lendSandbox(runtime: string): void {
  const electron = process.env['LATCHKEY_TEST_ELECTRON']
  if (process.platform !== 'linux' || electron === undefined) return
  const helper = path.join(runtime, 'chrome-sandbox')
  rmSync(helper, { force: true })
  place(path.join(path.dirname(electron), 'chrome-sandbox'), helper, { link: true })
}

/** Copies a file or folder to where everyone can read it; with `link`, makes hard links if possible. */
function place(from: string, to: string, { link }: { link: boolean }): void {
  const stat = statSync(from)
  const { mode } = stat
  if (stat.isDirectory()) {
    mkdirSync(to, { recursive: true })
    chmodSync(to, 0o755)
    for (const name of readdirSync(from)) place(path.join(from, name), path.join(to, name), { link })
  } else if (!link || !canRead(mode) || !tryLink(from, to)) {
    // A copy of Chromium's sandbox helper would lose its setuid bit, so the helper is linked.
    if ((mode & 0o4000) !== 0 && ordinaryUser() === undefined) symlinkSync(from, to)
    else {
      copyFileSync(from, to)
      chmodSync(to, mode | 0o444)
    }
  }
}

const canRead = (mode: number): boolean => (mode & 0o004) !== 0

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    // A hard link is impossible, because the file is on another file system or belongs to another user.
    return false
  }
}

/** Waits until the process has ended. If that takes too long, kills the process, and resolves to false. */
async function endsInTime(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
  let isInTime = true
  const timer = setTimeout(() => {
    isInTime = false
    endGroup(child)
  }, TIMEOUT_MS)
  await ended
  clearTimeout(timer)
  return isInTime
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}
