import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { COMPLETIONS, withCommands } from '../cli/commands.mjs'
import { main, SetUpError, step } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject, root } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'

const SOURCES = `main preload renderer contract text demo clients cli packaging scripts/package scripts/clients.mjs
  scripts/licences.mjs package.json package-lock.json electron.vite.config.ts electron-builder.yml
  LICENSE docs/administrators/policies docs/administrators/policy.schema.json`
const NOT_BUILT = /\.test\.tsx?$|__pycache__|\.tsbuildinfo$/

/** @param {'crash' | 'playwright'} [mode] See electron.vite.config.ts. @param {string} [project] Another checkout. */
export async function electronVite(mode, project = root) {
  const words = [
    inProject('node_modules/electron-vite/bin/electron-vite.js'),
    'build',
    ...(mode ? ['--mode', mode] : []),
  ]
  const { code, output } = await run(process.execPath, words, { cwd: project })
  if (code !== 0) throw new SetUpError(`${output.trim()}\nThe build failed.`)
}

/**
 * Bundles TypeScript, which Node 20 can't run: `demo/demo.ts` into `out/demo/demo.mjs`, by default with all packages.
 * @param {string} file @param {{ ssr?: import('vite').SSROptions, format?: 'esm' | 'cjs', outDir?: string }} [options]
 */
export async function bundle(file, { ssr = { noExternal: true }, format = 'esm', outDir } = {}) {
  // Vite may have been installed only now, so it is imported here.
  const vite = await import('vite')
  await vite.build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr,
    build: {
      ssr: inProject(file),
      outDir: outDir ?? inProject('out', path.dirname(file)),
      emptyOutDir: false,
      target: 'node20.18',
      minify: format === 'cjs',
      rolldownOptions: {
        output: { format, entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].mjs', codeSplitting: false },
      },
    },
  })
}

export const buildDemo = () => step('Building the demo', () => bundle('demo/demo.ts'))

/** Writes the completions of the shells, with the commands of `cli/commands.mjs`. @param {string} [output] */
export async function buildCompletions(output = inProject('out')) {
  await mkdir(path.join(output, 'completions'), { recursive: true })
  for (const file of COMPLETIONS) {
    await writeFile(path.join(output, file), withCommands(file, await readFile(inProject('cli', file), 'utf8')))
  }
}

/** Builds the app (and once more for the crash tests), the demo, the client libraries and the completions into `out/`. */
export async function build() {
  const began = new Date()
  const parts = ['main', 'preload', 'renderer', 'demo', 'crash', 'built']
  await Promise.all(parts.map((part) => rm(inProject('out', part), { recursive: true, force: true })))
  // The libraries that the file uses may have been installed only now, so it is imported here.
  const { buildClients } = await import('./clients.mjs')
  await step('Building', () =>
    Promise.all([electronVite(), electronVite('crash'), bundle('demo/demo.ts'), buildClients(), buildCompletions()]),
  )
  await mark(inProject('out', 'built'), began)
}

export async function buildIfNeeded() {
  if (!(await isFresh(inProject('out', 'built')))) await build()
}

/** Makes the test builds of the packages, unless they are newer than all that they are made from. */
export async function packForTestsIfNeeded() {
  if (await isFresh(inProject('dist', 'test', 'packed'))) return
  const began = new Date()
  // electron-builder changes the working directory and ends the process, so it gets a process of its own.
  const { code } = await run(process.execPath, [inProject('scripts/package.mjs'), '--test'], { show: true })
  if (code !== 0) throw new SetUpError('The packages for the tests could not be made.')
  await mkdir(inProject('dist', 'test'), { recursive: true })
  await mark(inProject('dist', 'test', 'packed'), began)
}

/** Marks a build with the time at which it began: it may lack later edits. @param {string} file @param {Date} began */
async function mark(file, began) {
  await writeFile(file, '')
  await utimes(file, began, began)
}

/** @param {string} file The mark of the build. */
async function isFresh(file) {
  const madeAt = (await stat(file).catch(() => undefined))?.mtimeMs
  if (madeAt === undefined) return false
  const times = await Promise.all(SOURCES.split(/\s+/).map((name) => newest(inProject(name))))
  return Math.max(...times) < madeAt
}

/** The time at which a file, or the newest file of a folder, was changed. @param {string} file */
async function newest(file) {
  const inside = await readdir(file, { recursive: true }).catch(() => [])
  const files = [file, ...inside.filter((name) => !NOT_BUILT.test(name)).map((name) => path.join(file, name))]
  return Math.max(...(await Promise.all(files.map(async (each) => (await stat(each)).mtimeMs))))
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await main(async () => {
    await ensurePackages()
    await build()
    return 0
  })
}
