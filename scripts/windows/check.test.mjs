import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_NPM, windowsWithoutWine } from '../../test/support/systems.ts'
import { SetUpError } from '../run/say.mjs'
import { unpackPackage } from '../setup/npm-package.mjs'
import { FAILED, NOTHING } from '../test/count.mjs'
import { whyNoWindows, windowsChecks } from './check.mjs'

/** @type {string} */
let folder
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latchkey-check-'))
  await mkdir(path.join(folder, 'work'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Unpacks a package from the temporary folder, without the npm registry. @param {string} name */
const unpack = (name) =>
  unpackPackage(
    { spec: path.join(folder, name), integrity: 'sha512-ofAnotherPackage==' },
    path.join(folder, 'work'),
    path.join(folder, 'content'),
  )

describe('the tests under Wine', windowsWithoutWine(NO_NPM), () => {
  it('the tests under Wine are skipped if a package can’t be downloaded', async () => {
    expect(await whyNoWindows(() => unpack('missing'))).toContain('could not be downloaded')
  })

  // SECURITY: a manipulated package must not look like a missing one.
  it('the tests under Wine fail, and are not skipped, if a package has the wrong hash', async () => {
    await mkdir(path.join(folder, 'package'))
    await writeFile(path.join(folder, 'package', 'package.json'), '{ "name": "example", "version": "1.0.0" }')
    await expect(whyNoWindows(() => unpack('package'))).rejects.toThrow("doesn't match its pinned checksum")
  })

  it('the tests under Wine fail, and are not skipped, if Wine does not start', async () => {
    const broken = () => Promise.reject(new SetUpError('Wine was installed but does not start.'))
    await expect(whyNoWindows(broken)).rejects.toThrow('does not start')
  })
})

describe('the tests under Wine, run as one of several checks', () => {
  const two = { ...NOTHING, passed: 2 }
  const passes = () => Promise.resolve(two)
  const breaks = () => Promise.reject(new SetUpError('Wine does not start: wineboot --init failed.'))

  /** @param {Promise<string | undefined>} noWindows @param {(() => Promise<import('../test/count.mjs').Count>)[]} tests */
  async function outcome(noWindows, ...tests) {
    const counts = []
    for await (const count of windowsChecks(noWindows, tests)) counts.push(count)
    return counts
  }

  it('if Wine doesn’t start, that counts as one failure, and the other checks continue', async () => {
    expect(await outcome(breaks(), passes)).toEqual([FAILED])
  })

  it('if Wine fails during the tests, that counts as one failure, and the other checks continue', async () => {
    expect(await outcome(Promise.resolve(undefined), passes, breaks)).toEqual([two, FAILED])
  })

  it('if Wine can’t be installed on this machine, the tests are listed as skipped', async () => {
    const skipped = ['tests under Windows’ Node: no root']
    expect(await outcome(Promise.resolve('no root'), passes)).toEqual([{ ...NOTHING, skipped }])
  })
})
