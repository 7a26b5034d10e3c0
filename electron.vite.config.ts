import preact from '@preact/preset-vite'
import { defineConfig } from 'electron-vite'
import { licences } from './scripts/licences.mjs'
import { inProject } from './scripts/run/project.mjs'

// The oldest supported Electron is 33, with Node 20.18 and Chromium 130.
const node = 'node20.18'
const chromium = 'chrome130'

/** The modes whose builds each have their own folder in `out`. */
const OWN = ['crash', 'playwright']

const out = (part: string, mode: string) => `${OWN.includes(mode) ? `out/${mode}/` : ''}out/${part}`

// Everything except Electron itself and the two native modules is bundled. So the app loads fewer files, and the
// package needs no other modules. The format is CommonJS, because a sandboxed preload script can't be an ES module.
//
// `--mode playwright` makes a build in `out/playwright/` that accepts debuggers even when it is packaged, so that
// Playwright can drive it. `--mode crash` makes the same build in `out/crash/`, but with code that ends the app at a
// step chosen by a test (main/app/crash-points.ts).
export default defineConfig(({ mode }) => ({
  main: {
    define: {
      __CRASH_POINTS__: JSON.stringify(mode === 'crash'),
      __DEBUGGERS_WELCOME__: JSON.stringify(OWN.includes(mode)),
      __DEV_SERVER__: 'undefined',
    },
    build: {
      outDir: out('main', mode),
      target: node,
      externalizeDeps: false,
      minify: 'oxc',
      // The option `lib` isn't used, because it doesn't work with `?modulePath`, which gives a module its own bundle
      // (electron-vite: modulePath). Dynamic imports become separate files that load on demand.
      rolldownOptions: {
        input: 'main/app/start.ts',
        external: ['electron', 'keytar', 'koffi'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  },
  preload: {
    build: {
      outDir: out('preload', mode),
      target: node,
      externalizeDeps: false,
      lib: { entry: 'preload/preload.ts', formats: ['cjs'] },
      // The preload script is a single file, because a sandboxed preload script can't load another file.
      rolldownOptions: {
        external: ['electron'],
        output: { entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [preact()],
    define: { __LICENCES__: JSON.stringify(licences()) },
    build: {
      outDir: out('renderer', mode),
      target: chromium,
      minify: 'oxc',
      // Chromium needs no polyfill to preload modules.
      modulePreload: { polyfill: false },
      // SECURITY: the page has no data: addresses, so the content security policy can forbid them.
      assetsInlineLimit: 0,
      // The largest file contains the word lists for estimating a password's strength. It is only loaded when the form
      // for a new password opens.
      chunkSizeWarningLimit: 800,
      rolldownOptions: {
        input: inProject('renderer', 'index.html'),
      },
    },
  },
}))
