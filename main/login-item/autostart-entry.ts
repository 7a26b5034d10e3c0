import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { HIDDEN } from '../base/launch-command.ts'
import type { LoginItem } from './login-item.ts'

const FILE_NAME = 'latchkey-desktop.desktop'

/** Escapes of a value of type string (Desktop Entry Specification 1.5, "Possible value types"). */
const VALUE_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
const value = (text: string): string =>
  text.replace(/[\\\n\t\r]/g, (character) => VALUE_ESCAPES[character] ?? '').replace(/^ /, '\\s')

/** A quoted argument of `Exec` (same specification, "The Exec key"). `%` is doubled, because it begins a field code. */
const argument = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/**
 * The autostart entry (Desktop Application Autostart Specification 0.5). `TryExec` disables it if the program has been
 * removed.
 */
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

/** True if an entry is enabled. Desktops disable an entry by adding a line to it. */
export function isInEffect(entry: string): boolean {
  return !/^[ \t]*(Hidden[ \t]*=[ \t]*true|X-GNOME-Autostart-enabled[ \t]*=[ \t]*false)[ \t\r]*$/m.test(entry)
}

/** The folder of a user's autostart entries (XDG Base Directory Specification: only absolute paths count). */
export function autostartFolder(env: NodeJS.ProcessEnv, home: string): string {
  const config = env['XDG_CONFIG_HOME'] ?? ''
  const { isAbsolute, join } = path.posix
  return join(isAbsolute(config) ? config : join(home, '.config'), 'autostart')
}

/** Start at login on Linux, through a file in the user's configuration. */
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
    // Replaced atomically, because half an entry could start another program.
    writeFileSync(`${file}.new`, entry, { mode: 0o644 })
    renameSync(`${file}.new`, file)
  }
  return {
    isEnabled,
    set: (enabled) => (enabled ? write() : rmSync(file, { force: true })),
    // The entry is written again, because the user may have moved the AppImage.
    refresh: write,
  }
}
