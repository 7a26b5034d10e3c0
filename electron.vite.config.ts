import preact from '@preact/preset-vite'
import { defineConfig } from 'electron-vite'

// Everything is bundled but Electron itself and the keychain's native module: fewer files to load, and a
// package without node_modules. CommonJS, because a sandboxed preload can't be anything else and V8's
// compile cache serves it best.
const external = ['electron', /^electron\//, 'keytar']

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node20',
      externalizeDeps: false,
      minify: 'esbuild',
      lib: { entry: 'main/main.ts', formats: ['cjs'] },
      rollupOptions: { external, output: { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' } },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: 'node20',
      externalizeDeps: false,
      lib: { entry: 'preload/preload.ts', formats: ['cjs'] },
      rollupOptions: { external, output: { entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {
    root: 'renderer',
    base: './',
    plugins: [preact()],
    build: {
      outDir: 'out/renderer',
      target: 'chrome130',
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: 'renderer/index.html' },
    },
  },
})
