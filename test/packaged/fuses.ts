/** The fuses that every package must have, and a check that a wrong fuse ends the build. */
import path from 'node:path'
import { Arch } from 'electron-builder'
import { expect } from 'vitest'
import { afterPack, artifactBuildStarted } from '../../scripts/package/hooks.mjs'
import { ROOT } from '../support/app.ts'
import type { PackagedApp } from './builds.ts'

/**
 * The fuses of a published package: `electronFuses` in electron-builder.yml, and Electron's own values for the other
 * fuses.
 */
export const FUSES = {
  runAsNode: false,
  enableCookieEncryption: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
}

/** Expects that packaging fails if the configuration differs from the app in one fuse. */
export async function expectWrongFuseToEndBuild(
  { program, archive }: Pick<PackagedApp, 'program' | 'archive'>,
  platform: NodeJS.Platform,
  arch: NodeJS.Architecture,
  wrong: { readonly fuse: keyof typeof FUSES; readonly wanted: boolean },
): Promise<void> {
  afterPack({
    appOutDir: path.dirname(program),
    electronPlatformName: platform,
    arch: arch === 'x64' ? Arch.x64 : Arch.arm64,
    packager: {
      config: { electronFuses: { runAsNode: false, [wrong.fuse]: wrong.wanted } },
      appInfo: { productFilename: path.basename(program, '.exe') },
      getResourcesDir: () => path.dirname(archive),
      projectDir: ROOT,
    },
  })
  await expect(artifactBuildStarted()).rejects.toThrow(
    new RegExp(`: *\nfuses: ${wrong.fuse} is ${!wrong.wanted} and should be ${wrong.wanted}$`),
  )
}
