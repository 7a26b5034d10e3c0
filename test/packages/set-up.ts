/** Makes the AppImage, which `npm test` leaves out. If LATCHKEY_TEST_PACKAGES names a folder, it is tested instead. */
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { SetUpError } from '../../scripts/run/command.mjs'
import { run } from '../../scripts/run/process.mjs'
import { inProject } from '../../scripts/run/project.mjs'
import { ensureDebianPackages, ensureSystem } from '../../scripts/setup/system.mjs'

/** Debian packages and their programs, which read an rpm, or make or read an AppImage. */
const TOOLS = { rpm: 'rpm', 'squashfs-tools': 'unsquashfs', 'desktop-file-utils': 'desktop-file-validate' }

export default async function setUp(): Promise<void> {
  if (process.platform !== 'linux') throw new SetUpError('The packages for Linux are tested on Linux.')
  await ensureSystem({ display: false, tests: false })
  await ensureDebianPackages(Object.keys(TOOLS))
  const lacking = Object.values(TOOLS).filter((program) => !existsSync(`/usr/bin/${program}`))
  if (lacking.length > 0) throw new SetUpError(`These programs are missing: ${lacking.join(', ')}.`)
  if (process.env['LATCHKEY_TEST_PACKAGES'] !== undefined) return
  const env = { APPIMAGE_TOOLS_PATH: appImageTools() }
  const args = [inProject('scripts/package.mjs'), '--test', 'AppImage']
  const { code } = await run(process.execPath, args, { env, show: true })
  if (code !== 0) throw new SetUpError('The packages could not be made.')
  process.env['LATCHKEY_TEST_PACKAGES'] = inProject('dist/test/shipped')
}

/** Replaces the tools that electron-builder would download for an AppImage. The runtime does nothing. */
function appImageTools(): string {
  const folder = inProject('out', 'appimage-tools')
  const { arch } = process
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['runtimes', `lib/${arch}`]) mkdirSync(path.join(folder, part), { recursive: true })
  for (const tool of ['mksquashfs', 'desktop-file-validate']) {
    symlinkSync(path.join('/usr/bin', tool), path.join(folder, tool))
  }
  copyFileSync('/usr/bin/true', path.join(folder, 'runtimes', `runtime-${arch}`))
  return folder
}
