import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { build } from './build.mjs'
import { startDemo } from './run/demo.mjs'
import { hasDisplay, startDisplay } from './run/display.mjs'
import { onEnd, start, stopAll } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { main, SetUpError, say, step } from './run/say.mjs'
import { setUpElectron, setUpPackages } from './setup.mjs'

/**
 * `npm start`: sets up, builds, starts the demo service and opens the app connected to it. If LATCHKEY_BASE_URL is set,
 * the app uses the service at that address, and no demo starts. Arguments after `--` go to the app.
 */
await main(async () => {
  const { env } = process
  /** @type {import('./run/process.mjs').Running | undefined} */
  let app
  let ending = false
  onEnd(() => {
    ending = true
    // The app waits up to ten seconds for a refresh under way.
    if (app) void app.stop(15_000)
    else void stopAll().finally(() => process.exit(1))
  })

  const ownService = Boolean(env['LATCHKEY_BASE_URL'])
  const asRoot = process.getuid?.() === 0
  const needsDisplay = !hasDisplay()
  const hasBus = process.platform !== 'linux' || hasSessionBus(env)

  await setUpPackages({ display: needsDisplay, tests: false })
  const electron = await setUpElectron({ allowFallback: !ownService && !isManaged(), sandboxed: !asRoot })
  const built = await step('Building', build)
  if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)

  // Terminals in Electron-based editors set this variable, with which Electron would run as plain Node.
  /** @type {import('./run/process.mjs').Variables} */
  const variables = { ELECTRON_RUN_AS_NODE: undefined }
  /** @type {(() => Promise<unknown>)[]} */
  const stops = []
  try {
    if (!ownService) {
      const demo = await startDemo()
      stops.push(demo.stop)
      Object.assign(variables, demo.env)
      say(`\n${demo.greeting}\n`)
    }
    if (needsDisplay) {
      const display = await startDisplay()
      stops.push(display.stop)
      Object.assign(variables, display.env)
      say('There is no display: the window opens under Xvfb, where no one can see it.')
    }
    if (!hasBus) {
      // Without this variable, libraries would start a D-Bus daemon for the display, and that daemon would never end.
      variables['DBUS_SESSION_BUS_ADDRESS'] = 'disabled:'
      say('There is no D-Bus session, so no keyring: your session ends when you quit Latchkey.')
    }
    if (asRoot)
      say('Running as root, so Electron runs without its sandbox. To use the sandbox, run as an ordinary user.')
    say(`Opening Latchkey on Electron ${electron.version}. Press Ctrl+C to stop.`)
    const switches = [
      ...(asRoot ? ['--no-sandbox'] : []),
      // Without this switch, Chromium prints many errors about the missing display or D-Bus session.
      ...(needsDisplay || !hasBus ? ['--log-level=3'] : []),
      // Electron before version 38 only looks for an X11 display.
      ...(!needsDisplay && process.platform === 'linux' && !env['DISPLAY'] ? ['--ozone-platform=wayland'] : []),
    ]
    await writeLauncher([electron.path, ...switches, root])
    app = start(electron.path, [...switches, root, ...process.argv.slice(2)], { env: variables, show: true })
    const { code, output } = await app.ended
    if (output !== '') say(output)
    return ending ? 0 : code
  } finally {
    for (const stop of stops) await stop()
  }
})

/**
 * Writes the program that `cli/latchkey doctor` and `cli/latchkey open` run in a checkout.
 * @param {readonly string[]} words
 */
async function writeLauncher(words) {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  await writeFile(
    inProject('out', 'latchkey-desktop'),
    `#!/bin/sh\nexec env -u ELECTRON_RUN_AS_NODE ${quoted} "$@"\n`,
    {
      mode: 0o755,
    },
  )
}

/** True if there is a policy file. It may set the service's address, and overrides the environment. */
function isManaged() {
  return process.platform === 'linux' && existsSync('/etc/latchkey/policy.json')
}

/** @param {import('./run/process.mjs').Variables} env */
function hasSessionBus(env) {
  return Boolean(env['DBUS_SESSION_BUS_ADDRESS']) || existsSync(`${env['XDG_RUNTIME_DIR'] ?? '/nonexistent'}/bus`)
}
