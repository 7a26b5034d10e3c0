import path from 'node:path'

export interface LogHome {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** The app's data folder. */
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

/**
 * The folder of the log, by each system's rules. With another data folder the log is there, so that no two copies share
 * one.
 */
export function logFolder({ platform, env, home, dataFolder, isDefaultDataFolder }: LogHome): string {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix
  if (!isDefaultDataFolder) return join(dataFolder, 'logs')
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Logs', 'Latchkey')
    case 'win32': {
      // `%APPDATA%` is not used, because it roams to the user's other machines.
      const local = env['LOCALAPPDATA']
      return local ? join(local, 'Latchkey', 'logs') : join(dataFolder, 'logs')
    }
    default: {
      // XDG Base Directory Specification 0.8: logs are state; a relative path is invalid and must be ignored.
      const state = env['XDG_STATE_HOME']
      return join(state !== undefined && isAbsolute(state) ? state : join(home, '.local', 'state'), 'latchkey')
    }
  }
}
