import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { app, Menu, protocol, Tray } from 'electron'
import type { StartProblem } from '../../contract/start-problem.ts'
import { enStartProblem } from '../../text/en/start-problem.ts'
import { forTerminal } from '../base/display-text.ts'
import { asksForWindow, isStartedFromDesktop, type Printing, printingOf, startsHidden } from '../base/launch-command.ts'
import { preparePrivateFolder, problemOfFolders, problemOfWriting } from '../base/private-folder.ts'
import { avoidUnresponsiveBus, settleSessionBus } from '../dbus/session-bus.ts'
import keytarChild from '../keychain/keytar-child.ts?modulePath'
import { hasOwnProcess } from '../keychain/keytar-process.ts'
import { registerAppScheme } from '../surfaces/app-protocol.ts'
import { forkKeychain } from '../surfaces/keychain-process.ts'
import { EarlyCalls, exitAtQuit, quitOnSignals, syncDock } from '../surfaces/lifecycle.ts'
import { trayIcon } from '../surfaces/tray-icons.ts'
import { FIRST_ICON } from '../surfaces/tray-model.ts'
import { foldersOf, settleFolders } from './environment-folders.ts'
import { machineId } from './installation.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { excludeMemoryFromCoreDumps, refusedSwitch, refusedVariable, takeVariables } from './process-hardening.ts'
import { displaysOf, isSameDisplay, type StartRequest } from './start-request.ts'

/** The build sets this. It is true only in the build for Playwright, which connects as a debugger. */
declare const __DEBUGGERS_WELCOME__: boolean

/** How long a hidden start waits for the panel to request the icon. Loading the app then blocks this thread. */
const ICON_FIRST_MS = 30

const { argv, env, platform } = process

excludeMemoryFromCoreDumps(process)

if (platform !== 'win32') settleFolders(env)
if (platform === 'linux') settleSessionBus(env)

// SECURITY: Electron's fuses block neither Chromium's switches nor variables such as NODE_DEBUG (Electron: Fuses).
const refused = app.isPackaged
  ? (refusedVariable(env) ?? (__DEBUGGERS_WELCOME__ ? undefined : refusedSwitch(argv, platform)))
  : undefined
if (refused !== undefined) {
  console.error(forTerminal(`Latchkey doesn't start with ${refused}. Remove it, then start Latchkey again.`))
  process.exit(1)
}

// SECURITY: `DEBUG` would make the proxy libraries print to stderr, even passwords. Developers often set it.
delete env['DEBUG']

// SECURITY: the settings decide where passwords are sent, so others may not change them (unchecked on Windows).
const folderProblem = process.getuid === undefined ? undefined : problemOfDataFolder(process.getuid())

// SECURITY: sandboxes every renderer. With `no-sandbox`, which root needs, a sandboxed renderer wouldn't start.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
// Without a graphics card, Chromium would first start its GPU process three times (app.disableHardwareAcceleration).
if (platform === 'linux') {
  exitAtQuit(process)
  app.disableHardwareAcceleration()
  // systemd's SIGTERM ends Chromium's helpers first (systemd.kill(5)). Without this switch, Chromium would then abort
  // the app (Chromium: gpu_data_manager_impl_private.cc).
  app.commandLine.appendSwitch('disable-gpu-process-crash-limit')
}
// Electron's default menu bar would delay the tray icon and appear in the window (Electron: Performance).
if (platform !== 'darwin') Menu.setApplicationMenu(null)
// SECURITY: a page's <link rel=dns-prefetch> would look up hosts despite the page's Content Security Policy and the
// proxy. `host-resolver-rules` is no alternative: it would keep PAC scripts from looking up hosts.
app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
// SECURITY: the page can't open dialogs in which the user would let it write files (such as showSaveFilePicker).
app.commandLine.appendSwitch('disable-blink-features', 'FileSystemAccessLocal')
// SECURITY: the page can't read the colours of other windows, for which Chromium asks no permission.
app.commandLine.appendSwitch('disable-features', 'EyeDropper')
const variables = takeVariables(env)
const forkKeytar = () => forkKeychain(keytarChild, env)
const printing = printingOf(argv)

if (folderProblem !== undefined) refuse(folderProblem)
// Printing takes no lock, so that it works while the app runs, and also if the app can't start.
else if (printing !== undefined) void print(printing).catch(endWithDialog)
else {
  registerAppScheme(protocol)
  lockAndRun()
}

function problemOfDataFolder(uid: number): StartProblem | undefined {
  const isGiven = app.commandLine.hasSwitch('user-data-dir')
  const given = app.commandLine.getSwitchValue('user-data-dir')
  if (given.startsWith('~')) return { code: 'tilde', given }
  try {
    // Electron read the variables before `settleFolders` corrected them, so its folders are set again.
    const folders = foldersOf(env, app.getName())
    if (platform === 'linux') {
      app.setPath('home', folders.home)
      app.setPath('appData', folders.appData)
      if (!isGiven) app.setPath('userData', folders.userData)
    }
    // Without `--user-data-dir`, HOME and XDG_CONFIG_HOME decide where the data folder is. An AppImage sets both
    // to folders next to its file if these exist, even if another user created them (AppImage: portable mode).
    return isGiven
      ? preparePrivateFolder(app.getPath('userData'), uid)
      : problemOfFolders([app.getPath('home'), app.getPath('appData'), app.getPath('userData')], uid)
  } catch (error) {
    const variable = env['XDG_CONFIG_HOME'] === undefined ? 'HOME' : 'XDG_CONFIG_HOME'
    const { code: cause = String(error) } = error as NodeJS.ErrnoException
    return { code: 'unusable', source: isGiven ? '--user-data-dir' : variable, cause }
  }
}

/** If another process uses the data folder, that process shows its window, and this one ends. */
function lockAndRun({ isTakenOver = false } = {}): void {
  const folder = app.getPath('userData')
  const displays = displaysOf(env, platform)
  const instance = { folder, machine: machineId(platform), hostname: hostname(), pid: process.pid, platform }
  let isEnding = false
  const onRequest = (request: StartRequest) => {
    const isShownHere = !isEnding && isSameDisplay(displays, request.displays)
    if (isShownHere) app.emit('second-instance', {}, request.argv, folder)
    return { pid: process.pid, displays, isEnding }
  }
  const request = { argv, displays }
  const lock: InstanceLock =
    platform === 'win32' ? { kind: 'unsupported' } : lockInstance(instance, { request, onRequest, isTakenOver })
  if (lock.kind === 'held') {
    app.on('before-quit', () => {
      isEnding = true
    })
    process.on('exit', () => lock.release())
    void run().catch(endWithDialog)
  } else if (lock.kind === 'unsupported') lockAsChromium(folder)
  else if (lock.kind === 'running') endBeside(lock, displays)
  else if (lock.kind === 'onOtherComputer') void askBeforeRun(lock.host).catch(endWithDialog)
  else refuse({ code: 'notWritable', path: folder, cause: lock.cause })
}

function lockAsChromium(folder: string): void {
  if (app.requestSingleInstanceLock()) {
    void run().catch(endWithDialog)
    return
  }
  // Electron doesn't say whether another process has the lock or the lock can't be made.
  const cause = problemOfWriting(folder)
  if (cause === undefined) app.exit(0)
  else refuse({ code: 'notWritable', path: folder, cause })
}

/** The running process has received the request. If its window is on another display, a message says on which. */
function endBeside({ pid, reply }: Extract<InstanceLock, { kind: 'running' }>, displays: readonly string[]): void {
  if (pid === undefined) refuse({ code: 'otherListener', path: app.getPath('userData') })
  else if (reply === undefined || reply.isEnding) refuse({ code: 'notResponding', pid })
  else if (displays.length === 0 && reply.displays.length > 0) {
    const running = `Latchkey is already running (process ${pid}) on the display ${reply.displays.join(', ')}.`
    console.error(forTerminal(`${running} Its window is there.`))
    app.exit(0)
  } else if (isSameDisplay(displays, reply.displays)) app.exit(0)
  else if (!asksForWindow(argv)) app.exit(0)
  else void sayWhereItRuns(reply.displays.join(', ')).catch(endWithDialog)
}

async function sayWhereItRuns(display: string): Promise<void> {
  leaveDataFolder()
  await whenReady()
  const { showRunsOnDisplay } = await import('../surfaces/dialogs.ts')
  await showRunsOnDisplay(display)
  app.exit(1)
}

async function askBeforeRun(host: string): Promise<void> {
  await whenReady()
  const { startsAnyway } = await import('../surfaces/dialogs.ts')
  if (await startsAnyway(host, app.getPath('userData'))) lockAndRun({ isTakenOver: true })
  else app.exit(1)
}

async function print(what: Printing): Promise<void> {
  await whenReady()
  const { runPrinting } = await import('./run-printing.ts')
  await runPrinting(what, { variables, forkKeytar })
}

async function run(): Promise<void> {
  const earlyCalls = new EarlyCalls()
  await whenReady()
  quitOnSignals(process, app)
  syncDock()
  const isHidden = startsHidden(platform, argv, () => app.getLoginItemSettings().wasOpenedAtLogin)
  const tray = new Tray(trayIcon(FIRST_ICON, platform))
  earlyCalls.listen(tray, platform)
  const firstKeychain = hasOwnProcess(platform) ? forkKeytar() : undefined
  if (isHidden) await sleep(ICON_FIRST_MS)
  const { runApp } = await import('./run-app.ts')
  const problem = await runApp({ variables, tray, isHidden, earlyCalls, forkKeytar, firstKeychain })
  if (problem !== undefined) refuse(problem)
}

/** Call this before the first `await`: a bus that doesn't answer must be replaced before Electron uses it. */
function whenReady(): Promise<void> {
  if (platform === 'linux' && avoidUnresponsiveBus(env)) {
    console.error("The session bus doesn't answer, so Latchkey starts without its tray icon and notifications.")
  }
  return app.whenReady()
}

/** Prints the problem, shows it to a user who has no terminal, and then ends this process. */
function refuse(problem: StartProblem): void {
  // Everything in the terminal is in English.
  console.error(forTerminal(`Latchkey doesn't start: ${enStartProblem(problem).replaceAll('’', "'")}`))
  if (printing !== undefined || !isStartedFromDesktop(process)) process.exit(1)
  else void show(problem).finally(() => app.exit(1))
}

async function show(problem: StartProblem): Promise<void> {
  if (!app.isReady()) {
    leaveDataFolder()
    await whenReady()
  }
  const { showStartProblem } = await import('../surfaces/dialogs.ts')
  await showStartProblem(problem)
}

/** Keeps Chromium from opening files in the data folder, because it isn't safe or another process uses it. */
function leaveDataFolder(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-'))
  app.setPath('userData', folder)
  app.setPath('sessionData', folder)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function endWithDialog(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
