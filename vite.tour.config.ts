import { defineConfig } from 'vite'

// The tour is written in TypeScript, which Node 20 can't run: it becomes one file. What is installed stays outside.
export default defineConfig({
  build: {
    ssr: 'test/tour.ts',
    outDir: 'out/tour-script',
    target: 'node20.18',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'tour.mjs' } },
  },
})
