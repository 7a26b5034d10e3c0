import { painted } from './painted.ts'

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has no #app')

// What came with the page is painted before this thread is kept busy.
if (root.hasChildNodes()) await painted()
try {
  const { show } = await import('./show.tsx')
  await show(root)
} catch (error) {
  // A window that can't answer doesn't look as if it could.
  root.replaceChildren()
  throw error
}
