import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isatty } from 'node:tty'

/** The switch that starts the app without its window. */
export const HIDDEN = '--hidden'

/** True if a second start of the app asks for the window. A hidden start doesn't ask for it. */
export const asksForWindow = (argv: readonly string[]): boolean => !argv.includes(HIDDEN)

/** What the program can print instead of starting the app. */
export type Printing =
  | { readonly kind: 'doctor' | 'log' }
  /** `file`: the policy file to check; `undefined` for the installed policy. */
  | { readonly kind: 'policy'; readonly file: string | undefined }

const CHECK_POLICY = '--check-policy'

/** What the program should print instead of starting the app, if anything. */
export function printingOf(argv: readonly string[]): Printing | undefined {
  const switches = argv.slice(1)
  if (switches.includes('--doctor')) return { kind: 'doctor' }
  if (switches.includes('--doctor-log')) return { kind: 'log' }
  const check = switches.find((each) => each === CHECK_POLICY || each.startsWith(`${CHECK_POLICY}=`))
  return check === undefined ? undefined : { kind: 'policy', file: check.slice(CHECK_POLICY.length + 1) || undefined }
}

/**
 * True if a person probably clicked an icon, and sees dialogs but not what the app prints. False in a terminal, and
 * without a display.
 */
export function isStartedFromDesktop(
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>,
  isInTerminal = [0, 1, 2].some(isatty),
): boolean {
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return hasDisplay && !isInTerminal
}

export interface HowStarted {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * The program that starts the app again. If the app runs from an AppImage, this is the AppImage file, because its mount
 * disappears when the app ends. `undefined` in a development run, because the program would be Electron without the
 * app.
 */
export function launchProgram({ platform, isPackaged, execPath, env }: HowStarted): string | undefined {
  if (!isPackaged) return undefined
  return (platform === 'linux' ? ownAppImage(execPath, env) : undefined) ?? execPath
}

/**
 * The AppImage file that the app runs from, as the variables `APPIMAGE` and `APPDIR` say. SECURITY: the app inherits
 * these variables from another AppImage if that AppImage's program started it. They belong to this app only if its
 * program is in the folder that `APPDIR` names.
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

/** True if the system started the app in the background. False if a person started it. */
export function startsHidden(
  platform: NodeJS.Platform,
  argv: readonly string[],
  wasOpenedAtLogin: () => boolean,
): boolean {
  return platform === 'darwin' ? wasOpenedAtLogin() : argv.includes(HIDDEN)
}

/** A checkout's command `latchkey`, for any folder, unless a shell would need quotes around the checkout's path. */
export const checkoutCommand = (folder: string): string =>
  /^[\w/.:\\-]+$/.test(folder) ? path.join(folder, 'cli', 'latchkey') : 'cli/latchkey'
