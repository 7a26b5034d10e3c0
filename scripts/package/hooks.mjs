/** electron-builder's hooks. They end the build if a file of the app is unexpected or a fuse isn't as configured. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Arch } from 'electron-builder'
import { asLocked, unpackPackage } from '../setup/npm-package.mjs'
import { faultsOf } from './content.mjs'
import { differences, readFuses } from './fuses.mjs'

/**
 * @typedef {import('electron-builder').AfterPackContext} All
 * @typedef {Pick<All, 'appOutDir' | 'electronPlatformName' | 'arch'> & { packager: Packager }} Context
 * @typedef {{ config: { electronFuses?: import('./fuses.mjs').Fuses | null }, executableName?: string } &
 *   Pick<All['packager'], 'getResourcesDir' | 'projectDir'> & { appInfo: { productFilename: string } }} Packager
 */

/** Apps to check later, because electron-builder sets an app's fuses after that app's last hook. @type {Context[]} */
const unchecked = []

/**
 * npm has installed the Kerberos module only for this system, so this unpacks the other system's.
 * @param {Pick<Context, 'electronPlatformName' | 'arch' | 'packager'>} context
 */
export async function beforePack({ electronPlatformName, arch, packager: { projectDir } }) {
  const name = `@koromix/koffi-${electronPlatformName}-${Arch[arch]}`
  await unpackPackage(asLocked(name), path.join(projectDir, 'node_modules', name))
}

/** @param {Context} context */
export const afterPack = (context) => void unchecked.push(context)

export const artifactBuildStarted = () => check()

/** @returns {Promise<string[]>} An empty list: this hook adds no files. */
export const afterAllArtifactBuild = () => check().then(() => [])

/** Windows recognises the entry by this id at an update or a removal, so it never changes. */
const PATH_ENTRY = '0E9C5B5D-3B0A-4F2E-9B0F-6A5B8C1D7E42'

/** Adds the command's folder to the machine's PATH, which electron-builder can't do. @param {string} project */
export async function msiProjectCreated(project) {
  const text = await readFile(project, 'utf8')
  const files = '<ComponentGroup Id="ProductComponents" Directory="APPLICATIONFOLDER">'
  if (!text.includes(files)) throw new Error('The project of the MSI has no place for the PATH.')
  const entry = `
      <Component Id="CommandOnPath" Guid="${PATH_ENTRY}" KeyPath="yes">
        <Environment Id="CommandOnPath" Name="PATH" Value="[APPLICATIONFOLDER]resources\\bin" Action="set" Part="last" Permanent="no" System="yes"/>
      </Component>`
  await writeFile(project, text.replace(files, files + entry))
}

/** How the name of the file or folder with the fuses ends, by platform. @type {Readonly<Record<string, string>>} */
const ENDINGS = { darwin: '.app', win32: '.exe' }

/** SECURITY: a wrong file or fuse ends the build. */
async function check() {
  for (const { appOutDir, electronPlatformName, arch, packager } of unchecked.splice(0)) {
    const archive = path.join(packager.getResourcesDir(appOutDir), 'app.asar')
    const name = packager.executableName ?? packager.appInfo.productFilename
    const fuses = await readFuses(path.join(appOutDir, name + (ENDINGS[electronPlatformName] ?? '')))
    const faults = [
      ...differences(packager.config.electronFuses ?? {}, fuses).map((line) => `fuses: ${line}`),
      ...(await faultsOf(archive, electronPlatformName, Arch[arch] ?? '')).map((line) => `app.asar: ${line}`),
    ]
    if (faults.length > 0) throw new Error(`The content of ${appOutDir} is wrong:\n${faults.join('\n')}`)
  }
}
