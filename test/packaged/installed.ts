/** Installs the test build's .deb with apt, as users do; without root's rights, unpacks it into a folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lendSandbox } from '../support/app.ts'
import { made } from './builds.ts'

export interface Installed {
  /** False if the package was unpacked without root's rights. */
  readonly byApt: boolean
  /** The folder into which the package was unpacked; empty if apt installed the package. */
  readonly root: string
  /** The folder for `XDG_DATA_DIRS`, where desktops look for the desktop entry; absent if apt installed the package. */
  readonly dataFolder?: string
  remove(): void
}

const PACKAGE = 'latchkey'
const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']

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
  // apt reads the package as another user, who must be able to read the file.
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

export const ENTRY = 'usr/share/applications/latchkey-desktop.desktop'

export const isInstalled = (): boolean => stateInDpkg() === 'installed'

/** The package's state in dpkg, which may still list a removed package, because dpkg keeps some of its scripts. */
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

/** All files of the system with the app's name, except dpkg's lists and the tests' own. */
export function filesOfLatchkey(): string[] {
  const places = ['/etc', '/opt', '/usr', '/var/lib', '/run']
  const options = ['-xdev', '-iname', '*latchkey*', '-not', '-path', '/var/lib/dpkg/*']
  // `find` fails if files vanish or only root can read them, but still lists the other files.
  const { stdout } = spawnSync('find', [...places, ...options], { encoding: 'utf8' })
  return stdout.split('\n').filter((name) => name !== '')
}
