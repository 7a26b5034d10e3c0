import { copyFile, mkdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { inProject } from '../run/project.mjs'

/**
 * Replaces the tools that electron-builder downloads for an AppImage, for test builds on machines without the network.
 * Debian's mksquashfs packs the content. The runtime, which would mount the content and start the app, is replaced by a
 * program that does nothing, because the tests only read the content.
 * @returns {Promise<string>} The folder that `APPIMAGE_TOOLS_PATH` should name.
 */
export async function appImageTools() {
  const folder = inProject('out', 'appimage-tools')
  const arch = process.arch
  await rm(folder, { recursive: true, force: true })
  for (const part of ['runtimes', `lib/${arch}`]) await mkdir(path.join(folder, part), { recursive: true })
  for (const tool of ['mksquashfs', 'desktop-file-validate']) {
    await symlink(path.join('/usr/bin', tool), path.join(folder, tool))
  }
  await copyFile('/usr/bin/true', path.join(folder, 'runtimes', `runtime-${arch}`))
  return folder
}
