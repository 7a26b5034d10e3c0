import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { SetUpError, step, UnavailableError } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { inProject } from '../run/project.mjs'
import { npm } from './packages.mjs'

/** @typedef {{ spec: string, integrity: string }} Pinned `NAME@VERSION`, and `sha512-` with the digest in Base64. */

/** @param {string} name @returns {Pinned} */
export function asLocked(name) {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  const { version, integrity } = packages[`node_modules/${name}`]
  return { spec: `${name}@${version}`, integrity }
}

/**
 * Unpacks a package into the folder, unless that exists. `complete` changes the files before they are moved there.
 * @param {Pinned} pinned @param {string} folder
 * @param {readonly string[]} [without] @param {(content: string) => Promise<void>} [complete]
 */
export async function unpackPackage({ spec, integrity }, folder, without = [], complete = async () => {}) {
  if (existsSync(folder)) return
  await mkdir(path.dirname(folder), { recursive: true })
  const work = await mkdtemp(`${folder}-`)
  const content = path.join(work, 'content')
  try {
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', work, spec]
    const packed = await step(`Fetching ${spec}`, () => npm(pack))
    const name = (await readdir(work)).find((file) => file.endsWith('.tgz'))
    if (packed.code !== 0 || name === undefined) {
      throw new UnavailableError(`${packed.output.trim()}\n${spec} could not be downloaded from the npm registry.`)
    }
    const tarball = path.join(work, name)
    // SECURITY: refuses an archive without the pinned digest.
    if (`sha512-${hash('sha512', await readFile(tarball), 'base64')}` !== integrity) {
      throw new SetUpError(`${spec} doesn't match its pinned checksum. Nothing was installed.`)
    }
    await mkdir(content)
    const options = ['--strip-components=1', '--no-same-owner', ...without.map((each) => `--exclude=${each}`)]
    // GNU tar, which Git brings to Windows, takes the colon of an absolute path for the end of a host's name.
    const unpacked = await run('tar', ['-xzf', `../${name}`, ...options], { cwd: content })
    if (unpacked.code !== 0) throw new SetUpError(`${spec} can't be unpacked.\n${unpacked.output.trim()}`)
    await complete(content)
    await rename(content, folder).catch((error) => {
      // Another process that unpacked the same package may have been faster.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(work, { recursive: true })
  }
}
