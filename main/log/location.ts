import path from 'node:path'

export interface LogHome {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

/** In the data folder if that isn't the default one, so that two copies of the app don't share a log. */
export function logFolder({ platform, env, home, dataFolder, isDefaultDataFolder }: LogHome): string {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix
  if (!isDefaultDataFolder) return join(dataFolder, 'logs')
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Logs', 'Latchkey')
    case 'win32': {
      // `%APPDATA%` isn't used, because it roams to the user's other machines.
      const local = env['LOCALAPPDATA']
      return local ? join(local, 'Latchkey', 'logs') : join(dataFolder, 'logs')
    }
    default: {
      // XDG Base Directory Specification 0.8: logs are state, and a relative path is ignored.
      const state = env['XDG_STATE_HOME']
      return join(state !== undefined && isAbsolute(state) ? state : join(home, '.local', 'state'), 'latchkey')
    }
  }
}
