import { defineConfig } from 'vite'

// Bundles the scripts that drive the window, one file each, because Node 20 can't run TypeScript. Installed packages
// stay external.
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'out/tour-script',
    target: 'node20.18',
    minify: false,
    rolldownOptions: {
      input: { tour: 'test/tour.ts', look: 'test/look/pictures.ts', pictures: 'test/pictures/pictures.ts' },
      // All files are in the same folder, because the scripts find the checkout relative to their own path.
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
})
