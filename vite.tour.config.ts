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
      // In the same folder, because they locate the checkout from there.
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    },
  },
})
