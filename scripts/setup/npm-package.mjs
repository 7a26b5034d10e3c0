import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SetUpError, UnavailableError } from '../run/command.mjs'
import { run } from '../run/process.mjs'
import { npm } from './packages.mjs'

/**
 * @typedef {object} Pinned A package for another system, or one that must not be installed.
 * @property {string} spec `NAME@VERSION`.
 * @property {string} integrity As package-lock.json would have it: `sha512-` and the digest in Base64.
 */

/**
 * Unpacks a package without installing it.
 * @param {Pinned} pinned
 * @param {string} work An empty folder for the archive.
 * @param {string} target For the package's files.
 * @param {readonly string[]} [without] Paths in the archive to leave out.
 */
export async function unpackPackage({ spec, integrity }, work, target, without = []) {
  const packed = await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', work, spec])
  const name = (await readdir(work)).find((file) => file.endsWith('.tgz'))
  if (packed.code !== 0 || name === undefined) {
    throw new UnavailableError(`${packed.output.trim()}\n${spec} could not be downloaded from the npm registry.`)
  }
  const tarball = path.join(work, name)
  // SECURITY: refuses an archive without the pinned digest.
  if (`sha512-${await digest('sha512', tarball, 'base64')}` !== integrity) {
    throw new SetUpError(`${spec} doesn't match its pinned checksum. Nothing was installed.`)
  }
  await mkdir(target, { recursive: true })
  const excluded = without.map((each) => `--exclude=${each}`)
  const into = ['--strip-components=1', '--no-same-owner', '-C', target]
  const unpacked = await run('tar', ['-xzf', tarball, ...into, ...excluded])
  if (unpacked.code !== 0) throw new SetUpError(`${spec} can't be unpacked.\n${unpacked.output.trim()}`)
}

/**
 * @param {'sha256' | 'sha512'} algorithm
 * @param {string} file
 * @param {'hex' | 'base64'} encoding
 */
export async function digest(algorithm, file, encoding) {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  return hash.digest(encoding)
}
