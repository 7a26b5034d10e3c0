import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { buildDemo, buildIfNeeded } from './build.mjs'
import { main, print, SetUpError } from './run/command.mjs'
import { startDisplay } from './run/display.mjs'
import { inProject, root } from './run/project.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystem } from './setup/system.mjs'

/** Before the app ends, it may wait ten seconds for a refresh, so this is longer. */
const LONGEST_END_MS = 15_000

/**
 * `npm start` builds, starts the demo service and opens the app connected to it. With LATCHKEY_BASE_URL, the app uses
 * that service, and no demo starts. Arguments after `--` go to the app. `npm run dev` does the same with the code as it
 * is edited. The demo keeps running, and the session stays in the keyring.
 */
await main(async () => {
  const { env } = process
  const isDev = process.argv[2] === '--dev'
  const args = process.argv.slice(isDev ? 3 : 2)
  const isLinux = process.platform === 'linux'
  const ownService = Boolean(env['LATCHKEY_BASE_URL'])
  const asRoot = process.getuid?.() === 0
  const needsDisplay = isLinux && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']
  const hasBus =
    !isLinux || env['DBUS_SESSION_BUS_ADDRESS'] || existsSync(`${env['XDG_RUNTIME_DIR'] ?? '/nonexistent'}/bus`)
  // A policy overrides the environment, so the app may use another service than the demo.
  const isManaged = isLinux && existsSync('/etc/latchkey/policy.json')

  await ensureSystem({ display: needsDisplay, tests: false })
  await ensurePackages()
  const electron = await resolveElectron({ allowFallback: !ownService && !isManaged, sandboxed: !asRoot })
  // Loads Vite, which may have been installed only now.
  const dev = isDev ? await import('./run/dev.mjs') : undefined
  await (dev ? buildDemo() : buildIfNeeded())

  // Terminals in Electron-based editors set this variable, which would make Electron run as plain Node.
  /** @type {import('./run/process.mjs').Variables} */
  const variables = { ...env, ELECTRON_RUN_AS_NODE: undefined }
  /** @type {(() => Promise<unknown>)[]} */
  const stops = []
  try {
    const demo = ownService ? undefined : await startDemo()
    if (demo) stops.push(demo.stop)
    Object.assign(variables, demo?.env)
    const connected = Object.entries(demo?.env ?? {}).map(([name, value]) => `${name}=${value}`)
    if (needsDisplay) {
      const display = await startDisplay()
      stops.push(display.stop)
      Object.assign(variables, display.env)
      print('There is no display: the window opens under Xvfb, where no one can see it.')
    }
    if (!hasBus) {
      // Without this variable, libraries would start a D-Bus daemon for the display, and that daemon would never end.
      variables['DBUS_SESSION_BUS_ADDRESS'] = 'disabled:'
      print('There is no D-Bus session, so no keyring: your session ends when Latchkey quits or restarts.')
    }
    if (asRoot)
      print('Running as root, so Electron runs without its sandbox. To use the sandbox, run as an ordinary user.')
    print(`Opening Latchkey on Electron ${electron.version}. Press Ctrl+C to stop.`)
    const switches = Object.entries({
      '--no-sandbox': asRoot,
      // Otherwise, Chromium prints many errors about the missing display or D-Bus session.
      '--log-level=3': needsDisplay || !hasBus,
      // Electron before version 38 looks only for an X11 display.
      '--ozone-platform=wayland': !needsDisplay && isLinux && !env['DISPLAY'],
    }).flatMap(([name, isOn]) => (isOn ? [name] : []))
    /** @type {import('node:child_process').ChildProcess | undefined} */
    let app
    let ending = false
    let restarts = false
    const edits = new EventEmitter().on('edit', () => {
      restarts = true
      const old = app
      old?.kill()
      // An error dialog could keep the app from ending.
      setTimeout(() => old?.kill('SIGKILL'), LONGEST_END_MS).unref()
    })
    // The app may wait ten seconds for a refresh. This process must keep running, and with it the demo and the display.
    for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.removeAllListeners(name).on(name, () => {
        ending = true
        edits.emit('edit')
      })
    }
    if (dev) {
      stops.push(await dev.watch(() => edits.emit('edit')))
      variables['NODE_OPTIONS'] = `${env['NODE_OPTIONS'] ?? ''} --enable-source-maps`
    }
    const folder = dev ? dev.FOLDER : root
    await writeLauncher([...connected, electron.path, ...switches, folder])
    while (!ending) {
      restarts = false
      app = spawn(electron.path, [...switches, folder, ...args], {
        env: variables,
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      const [code] = await once(app, 'exit')
      if (dev && code !== 0 && !restarts) {
        print('Latchkey has ended. The next edit starts it again.')
        await once(edits, 'edit')
      }
      if (!restarts) return code ?? 1
    }
    return 0
  } finally {
    for (const stop of stops) await stop()
  }
})

/**
 * Waits until the built demo accepts requests. It ends with this process at the latest.
 * @returns {Promise<{ env: NodeJS.Dict<string>, stop: () => Promise<unknown> }>} `env` connects the app to it.
 */
async function startDemo() {
  const demo = spawn(process.execPath, [inProject('out', 'demo', 'demo.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl+C must not end the demo before the app.
    detached: true,
  })
  const ended = once(demo, 'exit')
  /** @type {NodeJS.Dict<string>} */
  const env = {}
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, name, value] = /^(LATCHKEY_\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined) print(line)
    else env[name] = value
    // This line is the last, because it is printed when everything runs.
    if (name === 'LATCHKEY_BASE_URL') return { env, stop: async () => demo.kill() && ended }
  }
  throw new SetUpError('The demo service did not start.')
}

/** `cli/latchkey doctor` and `cli/latchkey open` run this in a checkout. @param {readonly string[]} words */
async function writeLauncher(words) {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const script = `#!/bin/sh\nexec env -u ELECTRON_RUN_AS_NODE ${quoted} "$@"\n`
  await writeFile(inProject('out', 'latchkey-desktop'), script, { mode: 0o755 })
}
