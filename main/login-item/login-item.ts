import { homedir } from 'node:os'
import { HIDDEN, type HowStarted, launchProgram } from '../launch-command.ts'
import { autostartFolder, autostartItem } from './autostart-entry.ts'

/** Whether the app starts when its user logs in: for that user alone. */
export interface LoginItem {
  isEnabled(): boolean
  /** Throws where the system's own list can't be written. */
  set(enabled: boolean): void
  /** Of one that is on: the program may have moved. */
  refresh(): void
}

interface SystemEntry {
  readonly path?: string
  readonly args?: string[]
}

/** The part of Electron's `app` that is used: the system's own list, where it finds an entry by what it starts. */
export interface SystemLoginItems {
  getLoginItemSettings(entry: SystemEntry): {
    readonly openAtLogin: boolean
    /** Windows: the Task Manager turns an entry off and lets it stand. */
    readonly executableWillLaunchAtLogin?: boolean
  }
  setLoginItemSettings(settings: SystemEntry & { readonly openAtLogin: boolean; readonly enabled: boolean }): void
}

/** The platform's way to start at login; `undefined` where the app can't: a development run. */
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
    // The system follows the program by itself.
    refresh() {},
  }
}
