import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isatty } from 'node:tty'

export const HIDDEN = '--hidden'

export const asksForWindow = (argv: readonly string[]): boolean => !argv.includes(HIDDEN)

export type Printing =
  | { readonly kind: 'doctor' | 'log' }
  /** `file` is the policy file to check, or `undefined` for the installed policy. */
  | { readonly kind: 'policy'; readonly file: string | undefined }

const CHECK_POLICY = '--check-policy'

export function printingOf(argv: readonly string[]): Printing | undefined {
  const switches = argv.slice(1)
  if (switches.includes('--doctor')) return { kind: 'doctor' }
  if (switches.includes('--doctor-log')) return { kind: 'log' }
  const check = switches.find((each) => each === CHECK_POLICY || each.startsWith(`${CHECK_POLICY}=`))
  return check === undefined ? undefined : { kind: 'policy', file: check.slice(CHECK_POLICY.length + 1) || undefined }
}

/** True if a person probably clicked an icon. That person sees dialogs, but nothing that the app prints. */
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
 * The program that starts the app again. In an AppImage, it is the AppImage's file, because the mounted program
 * disappears with the app. In a development run, it is `undefined`, because the program is Electron without the app.
 */
export function launchProgram({ platform, isPackaged, execPath, env }: HowStarted): string | undefined {
  if (!isPackaged) return undefined
  return (platform === 'linux' ? ownAppImage(execPath, env) : undefined) ?? execPath
}

/**
 * The AppImage that the app runs from, according to the variables `APPIMAGE` and `APPDIR`. SECURITY: the app inherits
 * these variables if a program in another AppImage has started it. So they are ignored unless the app's own program is
 * in the folder `APPDIR`.
 */
function ownAppImage(execPath: string, { APPIMAGE = '', APPDIR = '' }: NodeJS.ProcessEnv): string | undefined {
  if (!path.isAbsolute(APPIMAGE) || !path.isAbsolute(APPDIR)) return undefined
  try {
    return path.dirname(realpathSync(execPath)) === realpathSync(APPDIR) ? APPIMAGE : undefined
  } catch {
    return undefined
  }
}

export function startsHidden(
  platform: NodeJS.Platform,
  argv: readonly string[],
  wasOpenedAtLogin: () => boolean,
): boolean {
  return platform === 'darwin' ? wasOpenedAtLogin() : argv.includes(HIDDEN)
}

/** A checkout's command `latchkey`, with its full path unless a shell would need quotes around the path. */
export const checkoutCommand = (folder: string): string =>
  /^[\w/.:\\-]+$/.test(folder) ? path.join(folder, 'cli', 'latchkey') : 'cli/latchkey'
