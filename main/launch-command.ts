import { realpathSync } from 'node:fs'
import path from 'node:path'

/** The switch that starts the app without its window. */
export const HIDDEN = '--hidden'

/** True if a second start asks for the window. A hidden start doesn't. */
export const asksForWindow = (argv: readonly string[]): boolean => !argv.includes(HIDDEN)

/** True if the program should check this computer instead of starting the app. */
export const isDoctor = (argv: readonly string[]): boolean => argv.slice(1).includes('--doctor')

export interface HowStarted {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * The program that starts the app again: the AppImage, if the app runs from one, since its mount vanishes with the app.
 * `undefined` in a development run, where the program would be a bare Electron.
 */
export function launchProgram({ platform, isPackaged, execPath, env }: HowStarted): string | undefined {
  if (!isPackaged) return undefined
  return (platform === 'linux' ? ownAppImage(execPath, env) : undefined) ?? execPath
}

/**
 * The file of the AppImage that the app runs from (AppImage: environment variables). SECURITY: every program that is
 * started from an AppImage inherits these variables. They are only ours if our program is in the folder that they name.
 */
function ownAppImage(execPath: string, { APPIMAGE = '', APPDIR = '' }: NodeJS.ProcessEnv): string | undefined {
  if (!path.isAbsolute(APPIMAGE) || !path.isAbsolute(APPDIR)) return undefined
  try {
    return path.dirname(realpathSync(execPath)) === realpathSync(APPDIR) ? APPIMAGE : undefined
  } catch {
    // The folder doesn't exist.
    return undefined
  }
}

/** True if the system started the app in the background, not a person. */
export function startsHidden(
  platform: NodeJS.Platform,
  argv: readonly string[],
  wasOpenedAtLogin: () => boolean,
): boolean {
  return platform === 'darwin' ? wasOpenedAtLogin() : argv.includes(HIDDEN)
}
