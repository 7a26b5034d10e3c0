import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { resolveConfig } from 'electron-vite'
import { build, createServer, mergeConfig } from 'vite'
import { print } from './command.mjs'
import { inProject, root } from './project.mjs'

/** Where `npm run dev` builds, apart from the build that tests and packages use. */
export const FOLDER = inProject('out', 'dev')

/**
 * Builds the main process and the preload script, and again after each edit. Serves the page, which gets edits while it
 * is open. Resolves after the first build.
 * @param {() => void} onRebuilt Called after each later build: the app must restart.
 * @returns {Promise<() => Promise<unknown>>} Stops everything.
 */
export async function watch(onRebuilt) {
  const { config: { main = {}, preload = {}, renderer = {} } = {} } = await resolveConfig(
    { root, logLevel: 'warn' },
    'serve',
  )
  // Vite's own server would end this process on SIGTERM, before the app has ended.
  const server = createHttpServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const hmr = { server, host: '127.0.0.1', clientPort: port, overlay: false }
  const vite = await createServer(
    mergeConfig(renderer, { cacheDir: inProject('out', 'dev', 'vite'), server: { middlewareMode: true, hmr } }),
  )
  server.on('request', vite.middlewares)
  await mkdir(FOLDER, { recursive: true })
  await copyFile(inProject('package.json'), `${FOLDER}/package.json`)
  const define = { __DEV_SERVER__: JSON.stringify(`http://127.0.0.1:${port}`) }
  const watchers = await Promise.all([
    rebuild('main', mergeConfig(main, { define }), onRebuilt),
    rebuild('preload', preload, onRebuilt),
  ])
  return async () => {
    server.close().closeAllConnections()
    await Promise.all([vite, ...watchers].map((each) => each.close()))
  }
}

/**
 * @param {string} part
 * @param {import('vite').InlineConfig} config
 * @param {() => void} onRebuilt
 */
async function rebuild(part, config, onRebuilt) {
  const outDir = `${FOLDER}/out/${part}`
  // The window gets new texts by itself, and the tray when the app restarts.
  const watch = { exclude: inProject('text', '**') }
  const watcher = await build(mergeConfig(config, { build: { outDir, minify: false, sourcemap: true, watch } }))
  if (!('on' in watcher)) throw new Error('Vite did not watch')
  let isFirst = true
  await new Promise((resolve) => {
    let failed = false
    watcher.on('event', ({ code }) => {
      // Vite prints the error.
      if (code === 'START') failed = false
      else if (code === 'ERROR') failed = true
      if (code !== 'END') return
      if (!isFirst && !failed) onRebuilt()
      isFirst = false
      resolve(undefined)
    })
  })
  return watcher
}

/**
 * Starts a D-Bus session with an unlocked keyring. It stays when the app restarts, so the user stays signed in.
 * @returns {Promise<{ env: NodeJS.Dict<string>, stop: () => Promise<unknown> }>}
 */
export async function startKeyring() {
  const script = `echo "$DBUS_SESSION_BUS_ADDRESS"
    exec gnome-keyring-daemon --foreground --unlock --components=secrets <<-END
	any password
	END`
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-keyring-'))
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A process group of its own: Ctrl+C doesn't reach it, and it ends as a whole.
    detached: true,
  })
  const kill = () => void (session.pid && session.exitCode === null && process.kill(-session.pid))
  process.once('exit', kill)
  const ended = once(session, 'exit').catch(() => {})
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const line = await Promise.race([once(createInterface({ input: session.stdout }), 'line'), ended])
  if (/^unix:/.test(line?.[0])) return { env: { DBUS_SESSION_BUS_ADDRESS: line?.[0] }, stop }
  print('Without a keyring, you are signed out when the app restarts: install gnome-keyring and dbus.')
  return { env: { DBUS_SESSION_BUS_ADDRESS: 'disabled:' }, stop }
}
