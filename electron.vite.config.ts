import preact from '@preact/preset-vite'
import { defineConfig } from 'electron-vite'

// The oldest Electron that everything must run on is 33: Node 20.18 and Chromium 130.
const node = 'node20.18'
const chromium = 'chrome130'

// Everything is bundled but Electron itself and the keychain's native module: fewer files to load, and a
// package without node_modules. CommonJS, because a sandboxed preload can't be anything else and V8's
// compile cache serves it best.
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: node,
      externalizeDeps: false,
      minify: 'oxc',
      lib: { entry: 'main/main.ts', formats: ['cjs'] },
      // What is imported dynamically becomes a file of its own, loaded when it is needed.
      rolldownOptions: {
        external: ['electron', 'keytar'],
        output: { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: node,
      externalizeDeps: false,
      lib: { entry: 'preload/preload.ts', formats: ['cjs'] },
      // One file: a sandboxed preload can't load a sibling.
      rolldownOptions: {
        external: ['electron'],
        output: { entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [preact()],
    build: {
      outDir: 'out/renderer',
      target: chromium,
      minify: 'oxc',
      // SECURITY: no inline script and no data: address, so that the content security policy can forbid them.
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: 'renderer/index.html' },
    },
  },
})
