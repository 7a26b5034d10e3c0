import path from 'node:path'
import * as electron from 'electron'
import { app, clipboard, ipcMain, net, powerMonitor, shell, type Tray } from 'electron'
import ElectronStore from 'electron-store'
import type { StartProblem } from '../../contract/start-problem.ts'
import { loadTexts } from '../../text/index.ts'
import { checkoutCommand } from '../base/launch-command.ts'
import type { KeytarChild } from '../keychain/keytar-process.ts'
import { createSystemKeychain } from '../keychain/open.ts'
import { createReport, errorCode, type Report } from '../log/log.ts'
import { type OpenLog, openLog } from '../log/log-file.ts'
import { destinationDialog } from '../settings/destination.ts'
import type { Variables } from '../settings/layers.ts'
import { BUNDLE_ID } from '../settings/policy-places.ts'
import { openUserStore, PRIVATE_MODE } from '../settings/user-store.ts'
import { serveRenderer } from '../surfaces/app-protocol.ts'
import { confirm, saveText } from '../surfaces/dialogs.ts'
import { type EarlyCalls, registerLifecycle } from '../surfaces/lifecycle.ts'
import { createBrowserOpener, createFolderOpener } from '../surfaces/openers.ts'
import { createSurfaces } from '../surfaces/surfaces.ts'
import { watchWake } from '../surfaces/system-network.ts'
import { createTokenClipboard } from '../surfaces/token-clipboard.ts'
import { hasPublisher, hasUninstaller, updatePlan } from '../updates/plan.ts'
import { createApp } from './app.ts'
import { readHostSystem, toConsole } from './host-system.ts'
import { createLoginItem } from './login-item.ts'
import { timeLocale } from './time-locale.ts'

/** The build sets this. It is true only in the build for the crash tests. */
declare const __CRASH_POINTS__: boolean
/** The build sets this to the address at which `npm run dev` serves the page. It is undefined in every other build. */
declare const __DEV_SERVER__: string | undefined

interface Started {
  readonly variables: Variables
  readonly tray: Tray
  readonly isHidden: boolean
  readonly earlyCalls: EarlyCalls
  readonly firstKeychain: KeytarChild | undefined
  readonly forkKeytar: () => KeytarChild
}

/** Resolves to the problem if the app can't start with the user's settings. */
export async function runApp(started: Started): Promise<StartProblem | undefined> {
  const desktop = readHostSystem(started.variables)
  const log = openLog({ folder: desktop.paths.logDir, clock: desktop.clock, print: toConsole().print })
  const report = createReport({ log, ...toConsole() })
  try {
    return await run(started, desktop, log, report)
  } catch (error) {
    // `exit` skips `before-quit`, which finishes pending work. No work is pending yet.
    report('start', error)
    app.exit(1)
    return undefined
  }
}

async function run(
  { tray, isHidden, earlyCalls, forkKeytar, firstKeychain }: Started,
  desktop: ReturnType<typeof readHostSystem>,
  log: OpenLog,
  report: Report,
): Promise<StartProblem | undefined> {
  const { platform, env, clock, paths } = desktop
  const { execPath } = process
  // Windows needs this id of the app's shortcut to show notifications and to find the login item.
  if (platform === 'win32' && app.isPackaged) app.setAppUserModelId(BUNDLE_ID)
  // Electron would show an uncaught error in a dialog, so the app reports it instead. Printing the report fails if the
  // terminal has closed. Without these listeners, that failure would be uncaught, too, and so on for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', (error) => report('uncaught', error))
  process.on('unhandledRejection', (error) => report('unhandled', error))

  const opened = openSettings(paths.settingsFile, report)
  if ('code' in opened) return opened
  const { store, problems: storeProblems } = opened
  const locale = app.getLocale()
  const times = timeLocale(env, platform, () => app.getSystemLocale()) ?? locale
  const texts = await loadTexts(locale, platform, times)
  // SECURITY: only the build of `npm run dev` contains the module that serves the page from another program.
  const serve = __DEV_SERVER__ && (await import('../surfaces/dev-server.ts')).serveFrom(__DEV_SERVER__)
  const updateConfig = path.join(process.resourcesPath, 'app-update.yml')
  const latchkey = createApp({
    ...desktop,
    electron: process.versions.electron,
    store,
    storeProblems,
    systemKeychain: createSystemKeychain({ platform, clock, fork: forkKeytar, first: firstKeychain }),
    confirmDestination: (change) => confirm(destinationDialog(change, texts.desktop.destination)),
    texts,
    log,
    report,
    crashPoints: __CRASH_POINTS__ ? new (await import('./crash-points.ts')).CrashPoints(env) : undefined,
    createSurfaces: (ports) =>
      createSurfaces(ports, { tray, locale, timeLocale: times, serveRenderer: serve || serveRenderer }),
    isWindowWanted: () => earlyCalls.end() || !isHidden,
    systemClipboard: createTokenClipboard({
      clipboard,
      // Electron has `ClipboardItem` since version 45.
      ClipboardItem: 'ClipboardItem' in electron ? electron.ClipboardItem : undefined,
      platform,
      env,
      clock,
    }),
    openBrowser: createBrowserOpener({ shell, now: () => clock.now() }),
    systemLoginItem: createLoginItem({ platform, isPackaged: app.isPackaged, execPath, env }, app),
    watchWake: (wake) => watchWake({ clock, net, powerMonitor }, wake),
    updater: {
      plan: (feed) =>
        updatePlan({
          platform,
          isPackaged: app.isPackaged,
          feed,
          hasUninstaller: () => hasUninstaller(execPath),
          hasPublisher: () => hasPublisher(updateConfig),
        }),
      load: async () => {
        const { createAppUpdater } = await import('../surfaces/app-updater.ts')
        return createAppUpdater({ platform, config: updateConfig, clock })
      },
    },
    saveText,
    showInFolder: createFolderOpener({ shell, now: () => clock.now() }),
    isSandboxed: !app.commandLine.hasSwitch('no-sandbox'),
    uid: process.getuid?.(),
    command: app.isPackaged ? undefined : checkoutCommand(app.getAppPath()),
  })
  registerLifecycle(latchkey, platform)
  await latchkey.start()
  return undefined
}

/** If the file can't be read, the app doesn't start, because a new file would replace settings that may be intact. */
function openSettings(file: string, report: Report): ReturnType<typeof openUserStore> | StartProblem {
  try {
    return openUserStore(file, process.getuid?.(), openStore, Date.now())
  } catch (error) {
    report('settings', error)
    return { code: 'settingsUnreadable', path: file, cause: errorCode(error) }
  }
}

function openStore(): ElectronStore {
  // SECURITY: each write gives the file this mode, even with a lax umask.
  const store = new ElectronStore({ configFileMode: PRIVATE_MODE })
  // SECURITY: removes the IPC channel that electron-store opens to every renderer.
  ipcMain.removeAllListeners('electron-store-get-data')
  return store
}
