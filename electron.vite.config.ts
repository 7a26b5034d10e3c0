import preact from '@preact/preset-vite'
import { defineConfig } from 'electron-vite'
import { licences } from './scripts/licences.mjs'
import { inProject } from './scripts/run/project.mjs'

// Tests run this build in npm's Electron 33 (scripts/setup/npm-electron.mjs), so it decides: Node 20.18, Chromium 130.
const node = 'node20.18'
const chromium = 'chrome130'

/** Modes whose builds have their own folders in `out`. */
const OWN = ['crash', 'playwright']

const out = (part: string, mode: string) => `${OWN.includes(mode) ? `out/${mode}/` : ''}out/${part}`

// Everything except Electron and the native modules is bundled: the app loads fewer files, and the package needs no
// other modules. The format is CommonJS, because a sandboxed preload script can't be an ES module.
// `--mode playwright` builds an app that accepts debuggers even when packaged, so that Playwright can drive it.
// `--mode crash` builds the same app with code that ends it at a step chosen by a test (main/app/crash-points.ts).
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
      // The option `lib` doesn't work with `?modulePath`, which gives a module its own bundle (electron-vite:
      // modulePath). Dynamic imports become separate files that load on demand.
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
      // The script is one file, because a sandboxed preload script can't load another.
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
      // Chromium preloads modules by itself.
      modulePreload: { polyfill: false },
      // SECURITY: without data: addresses in the page, the content security policy can forbid them.
      assetsInlineLimit: 0,
      // The largest file has the word lists for judging passwords. Only the form for a new password loads it.
      chunkSizeWarningLimit: 800,
      rolldownOptions: {
        input: inProject('renderer', 'index.html'),
      },
    },
  },
}))
