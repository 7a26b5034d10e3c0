import { rm } from 'node:fs/promises'
import { run } from '../run/process.mjs'
import { inProject, root } from '../run/project.mjs'

/**
 * Builds the app into `out/playwright`. This build accepts the switches that Playwright needs to drive it, even when it
 * is packaged.
 */
export const buildDriven = () => buildInto(root, 'playwright')

/**
 * @param {string} project A checkout.
 * @param {string} [mode] See electron.vite.config.ts. Without it, makes the ordinary build.
 */
export async function buildInto(project, mode) {
  if (mode !== undefined) await rm(inProject('out', mode), { recursive: true, force: true })
  const args = mode === undefined ? [] : ['--mode', mode]
  const tool = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  return run(process.execPath, [tool, 'build', ...args], { cwd: project })
}
