/** The folders that environment variables name (XDG Base Directory Specification). Used only on POSIX systems. */
import { accessSync, constants, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'

const XDG = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'] as const

/**
 * Removes or replaces variables that name no usable folder, so that Electron, libraries and our code use the same ones.
 * With a relative path, such as a literal `~`, the place would depend on where the app was started.
 */
export function settleFolders(env: NodeJS.ProcessEnv): void {
  for (const name of XDG) {
    if (!path.posix.isAbsolute(env[name] ?? '')) delete env[name]
  }
  if (!path.posix.isAbsolute(env['HOME'] ?? '')) {
    const home = listedHome()
    if (home === undefined) delete env['HOME']
    else env['HOME'] = home
  }
  const temporary = env['TMPDIR'] ?? ''
  if (!path.posix.isAbsolute(temporary) || !isWritable(temporary)) delete env['TMPDIR']
}

/** Where Electron puts the settings once `settleFolders` has corrected the variables. */
export function foldersOf(env: NodeJS.ProcessEnv, name: string) {
  const home = env['HOME'] ?? '/'
  const appData = env['XDG_CONFIG_HOME'] ?? path.posix.join(home, '.config')
  return { home, appData, userData: path.posix.join(appData, name) }
}

function listedHome(): string | undefined {
  try {
    const { homedir } = userInfo()
    return path.posix.isAbsolute(homedir) ? homedir : undefined
  } catch {
    // The user isn't in the system's list, for example in a container.
    return undefined
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}
