/** The package of this system, installed as its users do it; without root's rights unpacked into a folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lendSandbox } from '../support/app.ts'
import { made } from './builds.ts'

export interface Installed {
  /** With apt, or without root's rights: then nothing is known of what apt does. */
  readonly byApt: boolean
  /** Where the package's `/` is: empty where it was installed. */
  readonly root: string
  /** What a desktop looks for entries in, where they aren't where every desktop looks. */
  readonly dataFolder?: string
  remove(): void
}

const PACKAGE = 'latchkey'
const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']

/** Whether this machine can make and take a .deb at all; elsewhere there is none to try. */
export const hasDeb = (): boolean => made('.deb') !== undefined

export const deb = (): string => {
  const file = made('.deb')
  if (file === undefined) throw new Error('there is no .deb')
  return file
}

export function install(): Installed {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
  chmodSync(folder, 0o755)
  return process.getuid?.() === 0 ? installWithApt(folder) : unpack(folder)
}

function installWithApt(folder: string): Installed {
  if (isInstalled())
    throw new Error('Latchkey is installed on this machine, and the test would replace it: remove it first')
  // apt reads it as a user of its own.
  const file = path.join(folder, path.basename(deb()))
  copyFileSync(deb(), file)
  apt('install', '-y', '--no-install-recommends', file)
  rmSync(folder, { recursive: true })
  return {
    byApt: true,
    root: '',
    remove: () => {
      if (stateInDpkg() !== 'not-installed') apt('purge', '-y', PACKAGE)
    },
  }
}

function unpack(folder: string): Installed {
  console.log('Not root: the package is unpacked, and what apt does with it is not tried.')
  execFileSync('dpkg-deb', ['--extract', deb(), folder])
  lendSandbox(path.join(folder, 'opt', 'Latchkey'))
  const dataFolder = path.join(folder, 'entries')
  const entry = readFileSync(path.join(folder, ENTRY), 'utf8')
  mkdirSync(path.join(dataFolder, 'applications'), { recursive: true })
  writeFileSync(path.join(dataFolder, 'applications', path.basename(ENTRY)), entry.replace('/opt/', `${folder}/opt/`))
  return { byApt: false, root: folder, dataFolder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** By its path in the package. */
export const ENTRY = 'usr/share/applications/latchkey-desktop.desktop'

export const isInstalled = (): boolean => stateInDpkg() === 'installed'

/** In dpkg's own words: removed, a package whose last script is kept is still known to it. */
function stateInDpkg(): string {
  try {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholder
    return execFileSync('dpkg-query', ['-W', '-f=${db:Status-Status}', PACKAGE], { encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return 'not-installed'
  }
}

export function apt(...args: readonly string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  return execFileSync('apt-get', [...APT, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Every file of the system that bears the app's name, but for dpkg's own list and the test's files. */
export function filesOfLatchkey(): string[] {
  const places = ['/etc', '/opt', '/usr', '/var/lib', '/run']
  const options = ['-xdev', '-iname', '*latchkey*', '-not', '-path', '/var/lib/dpkg/*']
  // It fails where something vanishes while it looks, or where only root may look, and tells the rest all the same.
  const { stdout } = spawnSync('find', [...places, ...options], { encoding: 'utf8' })
  return stdout.split('\n').filter((name) => name !== '')
}
