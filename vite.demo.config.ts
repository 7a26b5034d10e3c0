import { defineConfig } from 'vite'

// The demo is one file, which plain Node runs next to the app.
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'demo/demo.ts',
    outDir: 'out/demo',
    target: 'node20.18',
    reportCompressedSize: false,
    rolldownOptions: { output: { entryFileNames: '[name].mjs', codeSplitting: false } },
  },
})
