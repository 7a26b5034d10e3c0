import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { HIDDEN, type HowStarted, launchProgram } from '../base/launch-command.ts'
import type { LoginItem } from '../features/login-item.ts'

interface SystemEntry {
  readonly path?: string
  readonly args?: string[]
}

/** The part of Electron's `app` for login items. Electron finds a login item by its program and arguments. */
interface SystemLoginItems {
  getLoginItemSettings(entry: SystemEntry): {
    readonly openAtLogin: boolean
    /** False if the entry was disabled in the Task Manager of Windows. The entry then still exists. */
    readonly executableWillLaunchAtLogin?: boolean
  }
  setLoginItemSettings(settings: SystemEntry & { readonly openAtLogin: boolean; readonly enabled: boolean }): void
}

/** The entry for starting at login. It is `undefined` in a development run, which can't start at login. */
export function createLoginItem(started: HowStarted, app: SystemLoginItems): LoginItem | undefined {
  const program = launchProgram(started)
  if (program === undefined) return undefined
  switch (started.platform) {
    case 'linux':
      return autostartItem(autostartFolder(started.env, homedir()), program)
    case 'win32':
      return systemItem(app, { path: program, args: [HIDDEN] })
    case 'darwin':
      return systemItem(app, {})
    default:
      return undefined
  }
}

function systemItem(app: SystemLoginItems, entry: SystemEntry): LoginItem {
  return {
    isEnabled() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(entry)
      return openAtLogin && executableWillLaunchAtLogin !== false
    },
    set: (enabled) => app.setLoginItemSettings({ ...entry, openAtLogin: enabled, enabled }),
    // macOS keeps track of a program that moves, and on Windows an installed program stays where it is.
    refresh() {},
  }
}

const FILE_NAME = 'latchkey-desktop.desktop'

/** The escapes in a value of type string (Desktop Entry Specification 1.5, "Possible value types"). */
const VALUE_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
const value = (text: string): string =>
  text.replace(/[\\\n\t\r]/g, (character) => VALUE_ESCAPES[character] ?? '').replace(/^ /, '\\s')

/** A quoted argument of `Exec` (same specification, "The Exec key"). `%` is doubled, because it begins a field code. */
const argument = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** Desktop Application Autostart Specification 0.5. `TryExec` disables the entry when the program is gone. */
export function autostartEntry(program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Latchkey',
    `TryExec=${value(program)}`,
    `Exec=${value(argument(program))} ${HIDDEN}`,
    'Terminal=false',
    'StartupNotify=false',
    '',
  ].join('\n')
}

/** False if a desktop has disabled the entry. Desktops do so by adding a line to it. */
export function isInEffect(entry: string): boolean {
  return !/^[ \t]*(Hidden[ \t]*=[ \t]*true|X-GNOME-Autostart-enabled[ \t]*=[ \t]*false)[ \t\r]*$/m.test(entry)
}

/** The folder for autostart entries. A relative path in the variable is ignored (XDG Base Directory Specification). */
export function autostartFolder(env: NodeJS.ProcessEnv, home: string): string {
  const config = env['XDG_CONFIG_HOME'] ?? ''
  const { isAbsolute, join } = path.posix
  return join(isAbsolute(config) ? config : join(home, '.config'), 'autostart')
}

export function autostartItem(folder: string, program: string): LoginItem {
  const file = path.join(folder, FILE_NAME)
  const present = (): string | undefined => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return undefined
    }
  }
  const isEnabled = (): boolean => {
    const entry = present()
    return entry !== undefined && isInEffect(entry)
  }
  const write = (): void => {
    const entry = autostartEntry(program)
    if (present() === entry) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // The entry is replaced atomically, because half an entry could start another program.
    writeFileSync(`${file}.new`, entry, { mode: 0o644 })
    renameSync(`${file}.new`, file)
  }
  return {
    isEnabled,
    set: (enabled) => (enabled ? write() : rmSync(file, { force: true })),
    // The program may have moved, as an AppImage can.
    refresh: write,
  }
}
