import { defineConfig } from 'vite'

// What drives the window is written in TypeScript, which Node 20 can't run: each becomes a file. What is installed
// stays outside.
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'out/tour-script',
    target: 'node20.18',
    minify: false,
    rolldownOptions: {
      input: { tour: 'test/tour.ts', look: 'test/look/pictures.ts' },
      // Next to each other, since the checkout is found from there.
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
})
