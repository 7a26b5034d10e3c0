/**
 * What the process begins with: what must come before anything else is loaded, and the icon, which waits for nothing.
 * The rest, `run-app.ts`, follows.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { app, Menu, protocol, Tray } from 'electron'
import { otherHostOf } from './folder-holder.ts'
import keytarChild from './keychain/keytar-child.ts?modulePath'
import { hasOwnProcess } from './keychain/own-process.ts'
import { isDoctor, startsHidden } from './launch-command.ts'
import { preparePrivateFolder, problemOfFolders } from './private-folder.ts'
import { dropDebugVariable, leaveMemoryOutOfCoreDumps, refusedSwitch, refusedVariable } from './process-hardening.ts'
import { takeVariables } from './settings/environment.ts'
import { registerAppScheme } from './surfaces/app-protocol.ts'
import { forkKeychain } from './surfaces/keychain-process.ts'
import { EarlyCalls, followWindowInDock } from './surfaces/lifecycle.ts'
import { trayIcon } from './surfaces/tray-icons.ts'
import { FIRST_ICON } from './surfaces/tray-model.ts'

/** Set by the build: true in the one for Playwright alone, which comes in as a debugger does. */
declare const __DEBUGGERS_WELCOME__: boolean

/** The desktop's panel asks this thread for the icon, which loading the rest of the app keeps busy. */
const ICON_FIRST_MS = 30

const { argv, env, platform } = process

leaveMemoryOutOfCoreDumps(process)

// SECURITY: before anything else. Fuses keep Node's switches and NODE_OPTIONS out, and neither Chromium's switches nor
// Node's other variables (Electron: Fuses).
const refused = app.isPackaged
  ? (refusedVariable(env) ?? (__DEBUGGERS_WELCOME__ ? undefined : refusedSwitch(argv, platform)))
  : undefined
if (refused !== undefined) {
  console.error(`Latchkey doesn't start with ${refused}.`)
  process.exit(1)
}

// SECURITY: before any library is loaded that would heed it.
dropDebugVariable(env)

// SECURITY: before anything in it is read or written: its settings say where passwords go. Windows has no owner and mode
// that Node can read.
if (process.getuid !== undefined) {
  const uid = process.getuid()
  const dataFolder = app.getPath('userData')
  // Without the switch it is the environment's choice (HOME, XDG_CONFIG_HOME), which an AppImage makes by a folder beside
  // its file, whoever made that (AppImage: portable mode).
  const problem = app.commandLine.hasSwitch('user-data-dir')
    ? preparePrivateFolder(dataFolder, uid)
    : problemOfFolders([app.getPath('home'), app.getPath('appData'), dataFolder], uid)
  if (problem !== undefined) {
    console.error(`Latchkey doesn't start: its data folder must be private, and ${problem}.`)
    process.exit(1)
  }
}

// SECURITY: every renderer is sandboxed, whatever a window asks for (Electron: app.enableSandbox). Where somebody
// has taken the sandbox away (root can't have it), asking for it would keep every process from starting.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
// One small window is drawn as well without the graphics card, and where there is none, as on a remote desktop, its process
// would be started three times before Chromium goes without (Electron: app.disableHardwareAcceleration).
if (platform === 'linux') app.disableHardwareAcceleration()
// Electron would make a menu bar of its own, before the icon, and put it into the window (Electron: Performance).
if (platform !== 'darwin') Menu.setApplicationMenu(null)
// SECURITY: a page's <link rel=dns-prefetch> would look names up, whatever its policy and proxy say. Not by
// `host-resolver-rules`, which would keep names from PAC scripts too.
app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
// SECURITY: no page opens dialogs in which the user would let it write files (showSaveFilePicker and its like).
app.commandLine.appendSwitch('disable-blink-features', 'FileSystemAccessLocal')
const variables = takeVariables(env)
const forkKeytar = () => forkKeychain(keytarChild, env)

// `--doctor` needs no lock: it works while the app runs, and when the app does not.
if (isDoctor(argv)) void diagnose().catch(endWithDialog)
else {
  registerAppScheme(protocol)
  // Electron takes the lock from another computer without a word, so it is looked at first.
  const host = otherHostOf(app.getPath('userData'), hostname())
  if (host === undefined) lockAndRun()
  else void askBeforeRun(host).catch(endWithDialog)
}

function lockAndRun(): void {
  if (app.requestSingleInstanceLock()) void run().catch(endWithDialog)
  else app.quit()
}

/** The lock may have been left by a crash, or before this computer got its name: the user decides. */
async function askBeforeRun(host: string): Promise<void> {
  await app.whenReady()
  const { startsAnyway } = await import('./surfaces/folder-in-use.ts')
  if (await startsAnyway(host, app.getPath('userData'))) lockAndRun()
  else app.exit(1)
}

async function diagnose(): Promise<void> {
  const { runDiagnostics } = await import('./run-diagnostics.ts')
  await runDiagnostics({ variables, forkKeytar })
}

async function run(): Promise<void> {
  await app.whenReady()
  const earlyCalls = new EarlyCalls()
  followWindowInDock()
  const isHidden = startsHidden(platform, argv, () => app.getLoginItemSettings().wasOpenedAtLogin)
  const tray = new Tray(trayIcon(FIRST_ICON, platform))
  earlyCalls.listen(tray, platform)
  // It loads while the rest of the app does.
  const firstKeychain = hasOwnProcess(platform) ? forkKeytar() : undefined
  if (isHidden) await sleep(ICON_FIRST_MS)
  const { runApp } = await import('./run-app.ts')
  await runApp({ variables, tray, isHidden, earlyCalls, forkKeytar, firstKeychain })
}

/** Only a file of the app's own that can't be loaded comes here: Electron shows what was thrown. */
function endWithDialog(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
