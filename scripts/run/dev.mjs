import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { resolveConfig } from 'electron-vite'
import { build, createServer, mergeConfig } from 'vite'
import { inProject, root } from './project.mjs'

/** `npm run dev` builds in this folder, so that it leaves the build for tests and packages as it is. */
export const FOLDER = inProject('out', 'dev')

/**
 * Builds the main process and the preload script, and again after each edit; the open page gets edits by itself.
 * @param {() => void} onRebuilt Called after each later build: the app must restart.
 * @returns {Promise<() => Promise<unknown>>} Resolves after the first build. The function stops everything.
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

/** @param {string} part @param {import('vite').InlineConfig} config @param {() => void} onRebuilt */
async function rebuild(part, config, onRebuilt) {
  const outDir = `${FOLDER}/out/${part}`
  // The window gets new texts by itself, and the tray gets them when the app restarts.
  const watch = { exclude: inProject('text', '**') }
  const watcher = await build(mergeConfig(config, { build: { outDir, minify: false, sourcemap: true, watch } }))
  if (!('on' in watcher)) throw new Error('Vite did not watch')
  let isFirst = true
  await new Promise((resolve) => {
    let failed = false
    watcher.on('event', ({ code }) => {
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
