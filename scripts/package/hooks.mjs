/**
 * What electron-builder calls while it packages (electron-builder.yml names this file): what must not be in a package
 * is taken out, and nothing is made of an app that holds a file too many, or whose fuses read otherwise than they were
 * asked for.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Arch } from 'electron-builder'
import { faultsOf } from './content.mjs'
import { differences, programIn, readFuses } from './fuses.mjs'

/**
 * @typedef {object} Context The part of electron-builder's that is used.
 * @property {string} appOutDir
 * @property {string} electronPlatformName
 * @property {number} arch
 * @property {Packager} packager
 *
 * @typedef {object} Packager
 * @property {{ electronFuses?: import('./fuses.mjs').Fuses | null }} config
 * @property {string} [executableName]
 * @property {{ productFilename: string }} appInfo
 * @property {(folder: string) => string} getResourcesDir
 * @property {string} projectDir
 */

/** Apps that are packed, and not checked yet: their fuses are set after the last hook that would tell of it. */
/** @type {Context[]} */
let unchecked = []

/**
 * Removes the default app that the Electron distribution may contain: it would start if ours were missing.
 * @param {Context} context
 */
export async function afterExtract({ appOutDir, electronPlatformName }) {
  const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources'
  for (const file of [`${resources}/default_app.asar`, 'version']) await rm(path.join(appOutDir, file), { force: true })
}

/** @param {Context} context */
export function afterPack(context) {
  unchecked.push(context)
}

export const artifactBuildStarted = () => check()

/** @returns {Promise<string[]>} No further files. */
export async function afterAllArtifactBuild() {
  await check()
  return []
}

/** SECURITY: an app that isn't as it should be ends the build. */
async function check() {
  const apps = unchecked
  unchecked = []
  for (const { appOutDir, electronPlatformName, arch, packager } of apps) {
    const archive = path.join(packager.getResourcesDir(appOutDir), 'app.asar')
    const name = packager.executableName ?? packager.appInfo.productFilename
    const fuses = await readFuses(programIn(appOutDir, electronPlatformName, name))
    const faults = [
      ...differences(packager.config.electronFuses ?? {}, fuses).map((line) => `fuses: ${line}`),
      ...(await faultsOf(archive, electronPlatformName, Arch[arch] ?? '')).map((line) => `app.asar: ${line}`),
    ]
    if (faults.length > 0) throw new Error(`${appOutDir} is not as it should be:\n${faults.join('\n')}`)
  }
}
