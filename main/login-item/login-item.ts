import { homedir } from 'node:os'
import { HIDDEN, type HowStarted, launchProgram } from '../base/launch-command.ts'
import { autostartFolder, autostartItem } from './autostart-entry.ts'

/** Start at login, for this user only. */
export interface LoginItem {
  isEnabled(): boolean
  /** Throws if the system's list of login items can't be changed. */
  set(enabled: boolean): void
  /** Updates an enabled entry, because the program may have moved. */
  refresh(): void
}

interface SystemEntry {
  readonly path?: string
  readonly args?: string[]
}

/**
 * The part of Electron's `app` that manages the system's list of login items. Electron finds an entry by its program
 * and arguments.
 */
export interface SystemLoginItems {
  getLoginItemSettings(entry: SystemEntry): {
    readonly openAtLogin: boolean
    /** False on Windows if the entry is disabled in the Task Manager, which doesn't remove entries. */
    readonly executableWillLaunchAtLogin?: boolean
  }
  setLoginItemSettings(settings: SystemEntry & { readonly openAtLogin: boolean; readonly enabled: boolean }): void
}

/** The platform's way to start at login; `undefined` in a development run, which can't start at login. */
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
    // The system itself keeps track of a program that has moved.
    refresh() {},
  }
}
