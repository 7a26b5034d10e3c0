import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { main } from '../run/command.mjs'
import { inProject, root } from '../run/project.mjs'

/**
 * `node scripts/package/sbom.mjs` prints the bill of materials as CycloneDX (ECMA-424), from the lock file.
 * @typedef {{ 'bom-ref': string, name: string, version: string, purl: string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 */

const ELECTRON = 'node_modules/electron'

/** @returns {{ bomFormat: string, specVersion: string, components: Component[] } & Record<string, unknown>} */
export function billOfMaterials() {
  const bill = JSON.parse(askNpm())
  const own = bill.metadata.component['bom-ref']
  const kept = new Set([own, ...delivered()])
  const isKept = (/** @type {string} */ reference) => kept.has(reference)
  Object.assign(bill.metadata.component, { type: 'application', name: 'latchkey' })
  return {
    ...bill,
    components: bill.components.filter((/** @type {Component} */ each) => isKept(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter((/** @type {Dependency} */ { ref }) => isKept(ref))
      .map((/** @type {Dependency} */ { ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}

/**
 * Lists all packages, with dev dependencies. With `--omit dev`, npm 11 would also omit production packages that a dev
 * dependency needs, too, such as preact.
 */
function askNpm() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error']
  const own = process.env['npm_execpath']
  const [command, ...first] = own?.endsWith('npm-cli.js') ? [process.execPath, own] : ['npm']
  // On Windows npm is a batch file, which only a shell can start.
  const shell = command === 'npm' && process.platform === 'win32'
  const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 64 * 1024 * 1024, shell }
  return execFileSync(command ?? '', [...first, ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** What ships, as `name@version`: the dependencies, and Electron, which is a dev dependency. */
function delivered() {
  /** @type {Record<string, { name?: string, version: string, dev?: boolean, devOptional?: boolean }>} */
  const locked = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages
  return Object.entries(locked)
    .filter(([folder, { dev, devOptional }]) => folder === ELECTRON || (!dev && !devOptional))
    .map(([folder, { name, version }]) => `${name ?? folder.split('node_modules/').at(-1)}@${version}`)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await main(async () => {
    console.log(JSON.stringify(billOfMaterials(), undefined, 2))
    return 0
  })
}
