/** The switch that starts the app without its window. */
export const HIDDEN = '--hidden'

/** Whether a second start asks for the window: one that was to start without it has nothing to show. */
export const asksForWindow = (argv: readonly string[]): boolean => !argv.includes(HIDDEN)

/** The switch that examines this computer instead of starting the app. */
export const isDoctor = (argv: readonly string[]): boolean => argv.slice(1).includes('--doctor')

export interface HowStarted {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * The program that starts the app again; `undefined` in a development run, where that would be a bare Electron.
 * An AppImage runs from a mount that goes with it: what stays is the file (AppImage: environment variables).
 */
export function launchProgram({ platform, isPackaged, execPath, env }: HowStarted): string | undefined {
  if (!isPackaged) return undefined
  const appImage = platform === 'linux' ? env['APPIMAGE'] : undefined
  return appImage === undefined || appImage === '' ? execPath : appImage
}

/** Whether the app was started for the background, by the system and not by a person. */
export function startsHidden(
  platform: NodeJS.Platform,
  argv: readonly string[],
  wasOpenedAtLogin: () => boolean,
): boolean {
  return platform === 'darwin' ? wasOpenedAtLogin() : argv.includes(HIDDEN)
}
