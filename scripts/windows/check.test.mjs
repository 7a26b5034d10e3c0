import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { windowsWithoutWine } from '../../test/support/systems.ts'
import { SetUpError } from '../run/say.mjs'
import { unpackPackage } from '../setup/npm-package.mjs'
import { whyNoWindows } from './check.mjs'

/** @type {string} */
let folder
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latchkey-check-'))
  await mkdir(path.join(folder, 'work'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Unpacks a package from a folder, without the registry. @param {string} name */
const unpack = (name) =>
  unpackPackage(
    { spec: path.join(folder, name), integrity: 'sha512-ofAnotherPackage==' },
    path.join(folder, 'work'),
    path.join(folder, 'content'),
  )

describe('the tests under Wine', windowsWithoutWine('Wine has no npm'), () => {
  it('are skipped if a package can’t be had', async () => {
    expect(await whyNoWindows(() => unpack('missing'))).toContain('could not be downloaded')
  })

  // SECURITY: a manipulated package must not look like a missing one.
  it('fail, and are not skipped, if a package has the wrong hash', async () => {
    await mkdir(path.join(folder, 'package'))
    await writeFile(path.join(folder, 'package', 'package.json'), '{ "name": "example", "version": "1.0.0" }')
    await expect(whyNoWindows(() => unpack('package'))).rejects.toThrow("doesn't match its pinned checksum")
  })

  it('fail, and are not skipped, if Wine does not start', async () => {
    const broken = () => Promise.reject(new SetUpError('Wine was installed but does not start.'))
    await expect(whyNoWindows(broken)).rejects.toThrow('does not start')
  })
})
