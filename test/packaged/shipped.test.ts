import { statSync } from 'node:fs'
import path from 'node:path'
import { extractFile } from '@electron/asar'
import { Arch } from 'electron-builder'
import { expect, it } from 'vitest'
import { faultsOf, filesIn } from '../../scripts/package/content.mjs'
import { readFuses } from '../../scripts/package/fuses.mjs'
import { afterPack, artifactBuildStarted } from '../../scripts/package/hooks.mjs'
import { ROOT } from '../support/app.ts'
import { driven, shipped } from './builds.ts'
import { FUSES } from './fuses.ts'

const { platform, arch } = process

it('the archive has only the build and this platform’s keychain module, in at most 4 MB', async () => {
  const { archive } = shipped()
  console.log(`app.asar: ${(statSync(archive).size / 1e6).toFixed(2)} MB`)
  await expect(faultsOf(archive, platform, arch)).resolves.toEqual([])
})

it('the archive has no private key, no source map and no path of the build’s machine', async () => {
  const telling = /PRIVATE KEY-----\n|sourceMappingURL|\/node_modules\/\.|(\/home|\/Users|\/root|\/tmp)\/\w/
  for (const { name, text } of await textsIn(shipped().archive)) expect(telling.test(text), name).toBe(false)
})

it('the manifest has no build settings, and says that this is a test build', () => {
  const manifest = JSON.parse(read(shipped().archive, 'package.json').toString())
  expect(Object.keys(manifest)).not.toContain('scripts')
  expect(manifest.version).toMatch(/-test$/)
  expect(manifest.description).toMatch(/^Test build, not for use\. /)
})

it('SECURITY: no other program can serve the page, because the package lacks the code for `npm run dev`', async () => {
  const texts = (await textsIn(shipped().archive)).map(({ text }) => text)
  // That code replaces the policy's `connect-src 'none'`.
  expect([...new Set(texts.join('\n').match(/connect-src .{6}/g))]).toEqual(["connect-src 'none'"])
})

// SECURITY: see `electronFuses` in electron-builder.yml.
it('the shipped build has the configured fuses', async () => {
  await expect(readFuses(shipped().program)).resolves.toEqual(FUSES)
})

// SECURITY: see `electronFuses` in electron-builder.yml.
it('a fuse that differs from its configuration ends the build', async () => {
  const { program, archive } = driven()
  afterPack({
    appOutDir: path.dirname(program),
    electronPlatformName: platform,
    arch: arch === 'x64' ? Arch.x64 : Arch.arm64,
    packager: {
      config: { electronFuses: { runAsNode: false, enableNodeCliInspectArguments: false } },
      appInfo: { productFilename: path.parse(program).name },
      getResourcesDir: () => path.dirname(archive),
      projectDir: ROOT,
    },
  })
  await expect(artifactBuildStarted()).rejects.toThrow(
    /: *\nfuses: enableNodeCliInspectArguments is true and should be false$/,
  )
})

it('the build for Playwright differs from the shipped build only in the inspect fuse and the refusal of switches', async () => {
  await expect(readFuses(driven().program)).resolves.toEqual({ ...FUSES, enableNodeCliInspectArguments: true })
  const names = await filesIn(shipped().archive)
  await expect(filesIn(driven().archive)).resolves.toEqual(names)
  const differing = names.filter((name) => !read(shipped().archive, name).equals(read(driven().archive, name)))
  expect(differing).toEqual(['out/main/start.cjs'])
  const [whole, less] = [shipped(), driven()].map(({ archive }) => read(archive, 'out/main/start.cjs').toString())
  expect([whole?.includes('remote-debugging'), less?.includes('remote-debugging')]).toEqual([true, false])
})

/** Reads a file from an archive, or from the folder next to it. `extractFile` needs this system's path separators. */
const read = (archive: string, name: string): Buffer => extractFile(archive, path.normalize(name))

const textsIn = async (archive: string) =>
  (await filesIn(archive))
    .filter((name) => /\.(cjs|js|css|html|json)$/.test(name))
    .map((name) => ({ name, text: read(archive, name).toString() }))
