/** The first steps of the process: hardening, then the tray icon. After that, it loads `run-app.ts`. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { app, Menu, protocol, Tray } from 'electron'
import { settleSessionBus } from './dbus/session-bus.ts'
import { otherHostOf } from './folder-holder.ts'
import keytarChild from './keychain/keytar-child.ts?modulePath'
import { hasOwnProcess } from './keychain/own-process.ts'
import { isDoctor, startsHidden } from './launch-command.ts'
import { preparePrivateFolder, problemOfFolders } from './private-folder.ts'
import { dropDebugVariable, excludeMemoryFromCoreDumps, refusedSwitch, refusedVariable } from './process-hardening.ts'
import { takeVariables } from './settings/environment.ts'
import { registerAppScheme } from './surfaces/app-protocol.ts'
import { forkKeychain } from './surfaces/keychain-process.ts'
import { EarlyCalls, quitOnSignals, syncDock } from './surfaces/lifecycle.ts'
import { trayIcon } from './surfaces/tray-icons.ts'
import { FIRST_ICON } from './surfaces/tray-model.ts'

/** Set by the build: true only in the build for Playwright, which connects as a debugger. */
declare const __DEBUGGERS_WELCOME__: boolean

/**
 * The time in which the desktop's panel can request the icon from this thread. Afterwards the thread is busy loading
 * the app.
 */
const ICON_FIRST_MS = 30

const { argv, env, platform } = process

excludeMemoryFromCoreDumps(process)

if (platform === 'linux') settleSessionBus(env)

// SECURITY: a packaged app doesn't start with variables or switches that would expose secrets. Fuses only block Node's
// switches and NODE_OPTIONS, not Chromium's switches or Node's other variables (Electron: Fuses).
const refused = app.isPackaged
  ? (refusedVariable(env) ?? (__DEBUGGERS_WELCOME__ ? undefined : refusedSwitch(argv, platform)))
  : undefined
if (refused !== undefined) {
  console.error(`Latchkey doesn't start with ${refused}. Remove it, then start Latchkey again.`)
  process.exit(1)
}

// SECURITY: removes DEBUG before a library that reads this variable is loaded.
dropDebugVariable(env)

// SECURITY: the app checks that its data folder is private before it uses the folder, because the settings in the
// folder decide where passwords are sent. There is no check on Windows, because Node can't read a folder's owner and
// permissions there.
if (process.getuid !== undefined) {
  const uid = process.getuid()
  const dataFolder = app.getPath('userData')
  // Without the switch, HOME and XDG_CONFIG_HOME determine the folder. If certain folders exist next to an AppImage's
  // file, the AppImage sets these variables to them, even if another user created them (AppImage: portable mode).
  const problem = app.commandLine.hasSwitch('user-data-dir')
    ? preparePrivateFolder(dataFolder, uid)
    : problemOfFolders([app.getPath('home'), app.getPath('appData'), dataFolder], uid)
  if (problem !== undefined) {
    console.error(`Latchkey doesn't start: its data folder must be private, and ${problem}.`)
    process.exit(1)
  }
}

// SECURITY: every renderer is sandboxed, whatever a window asks for (Electron: app.enableSandbox). Root needs the
// switch `no-sandbox`. With that switch, this call would keep every process from starting.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
// A small window needs no graphics card. Without one, as on a remote desktop, Chromium would start its GPU process
// three times before it gives up (Electron: app.disableHardwareAcceleration).
if (platform === 'linux') {
  app.disableHardwareAcceleration()
  // systemd sends SIGTERM to every process of the app, so Chromium's helpers end first (systemd.kill(5)). Without this
  // switch, Chromium then aborts the app, because it can't start a new GPU process (Chromium:
  // gpu_data_manager_impl_private.cc), and the app couldn't finish its work.
  app.commandLine.appendSwitch('disable-gpu-process-crash-limit')
}
// Without this call, Electron would create a default menu bar, which delays the tray icon and appears in the window
// (Electron: Performance).
if (platform !== 'darwin') Menu.setApplicationMenu(null)
// SECURITY: a page's <link rel=dns-prefetch> would resolve names despite its policy and proxy. `host-resolver-rules` is
// no alternative, because it would also keep PAC scripts from resolving names.
app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
// SECURITY: the page can't open dialogs in which the user would let it write files (such as showSaveFilePicker).
app.commandLine.appendSwitch('disable-blink-features', 'FileSystemAccessLocal')
const variables = takeVariables(env)
const forkKeytar = () => forkKeychain(keytarChild, env)

// `--doctor` takes no lock, because it must also work while the app runs, and when the app doesn't start.
if (isDoctor(argv)) void diagnose().catch(endWithDialog)
else {
  registerAppScheme(protocol)
  // Electron silently takes over a lock that belongs to another computer, so this code looks for that lock first.
  const host = otherHostOf(app.getPath('userData'), hostname())
  if (host === undefined) lockAndRun()
  else void askBeforeRun(host).catch(endWithDialog)
}

function lockAndRun(): void {
  if (app.requestSingleInstanceLock()) void run().catch(endWithDialog)
  else app.quit()
}

/** The lock may be left from a crash, or from before this computer was renamed, so the user decides. */
async function askBeforeRun(host: string): Promise<void> {
  await app.whenReady()
  const { startsAnyway } = await import('./surfaces/dialogs.ts')
  if (await startsAnyway(host, app.getPath('userData'))) lockAndRun()
  else app.exit(1)
}

async function diagnose(): Promise<void> {
  const { runDiagnostics } = await import('./run-diagnostics.ts')
  await runDiagnostics({ variables, forkKeytar })
}

async function run(): Promise<void> {
  await app.whenReady()
  quitOnSignals(process, app)
  const earlyCalls = new EarlyCalls()
  syncDock()
  const isHidden = startsHidden(platform, argv, () => app.getLoginItemSettings().wasOpenedAtLogin)
  const tray = new Tray(trayIcon(FIRST_ICON, platform))
  earlyCalls.listen(tray, platform)
  // The keychain's process loads at the same time as the rest of the app.
  const firstKeychain = hasOwnProcess(platform) ? forkKeytar() : undefined
  if (isHidden) await sleep(ICON_FIRST_MS)
  const { runApp } = await import('./run-app.ts')
  await runApp({ variables, tray, isHidden, earlyCalls, forkKeytar, firstKeychain })
}

/** Only called if a file of the app can't be loaded. Electron shows the error. */
function endWithDialog(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
