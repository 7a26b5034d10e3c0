import path from 'node:path'

export type Location =
  | { readonly kind: 'socket'; readonly path: string; readonly dataFolder: string }
  /** This file has the name of a Windows pipe, and the secret that each request must contain. */
  | { readonly kind: 'pipe'; readonly path: string }

export interface Computer {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly uid: number
  isThere(path: string): boolean
}

/** Finds the agent as the `latchkey` command does. */
export function locate({ platform, env, home, uid, isThere }: Computer): Location {
  const override = env['LATCHKEY_SOCKET']
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local')
    return { kind: 'pipe', path: override || path.win32.join(local, 'Latchkey', 'agent.json') }
  }
  const { dirname, isAbsolute, join } = path.posix
  const socket = (file: string, dataFolder: string): Location => ({ kind: 'socket', path: file, dataFolder })
  // With `--user-data-dir`, socket and lock are in the same folder.
  if (override) return socket(override, dirname(override))
  if (platform === 'darwin') {
    const folder = join(home, 'Library', 'Application Support', 'Latchkey')
    return socket(join(folder, 'agent.sock'), folder)
  }
  const folder = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'Latchkey')
  const inData = join(folder, 'agent.sock')
  const runtime = env['XDG_RUNTIME_DIR'] ?? ''
  if (isAbsolute(runtime)) {
    const inRuntime = join(runtime, 'latchkey', 'agent.sock')
    return socket(isThere(inData) && !isThere(inRuntime) ? inData : inRuntime, folder)
  }
  // cron doesn't set XDG_RUNTIME_DIR.
  const inRun = `/run/user/${uid}/latchkey/agent.sock`
  return socket(isThere(inRun) && !isThere(inData) ? inRun : inData, folder)
}
