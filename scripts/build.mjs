import { rm } from 'node:fs/promises'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { buildClients } from './clients/build.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'

const electronVite = (/** @type {string[]} */ ...args) =>
  run(process.execPath, [inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build', ...args])

/** Builds the app for the crash tests into `out/crash/`. */
export async function buildForCrashTests() {
  await rm(inProject('out', 'crash'), { recursive: true, force: true })
  return electronVite('--mode', 'crash')
}

/**
 * Builds the app, the demo and the client libraries into `out/`, where they replace an earlier build.
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function build() {
  const parts = ['main', 'preload', 'renderer', 'demo']
  await Promise.all(parts.map((part) => rm(inProject('out', part), { recursive: true, force: true })))
  const builds = await Promise.all([
    electronVite(),
    run(process.execPath, [inProject('node_modules', 'vite', 'bin', 'vite.js'), 'build', '-c', 'vite.demo.config.ts']),
    buildClients(),
  ])
  return { code: Math.max(...builds.map(({ code }) => code)), output: builds.map(({ output }) => output).join('\n') }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await main(async () => {
    await ensurePackages()
    const { code, output } = await build()
    console.log(output)
    return code
  })
}
