/** Installs the test build's .deb with apt, as users do. Without root's rights, unpacks it into a folder instead. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lendSandbox } from '../support/app.ts'
import { made } from './builds.ts'

export interface Installed {
  /** True if the package was installed with apt; false if it was unpacked without root's rights. */
  readonly byApt: boolean
  /** The folder into which the package was unpacked; an empty text if the package was installed. */
  readonly root: string
  /** The folder to add to `XDG_DATA_DIRS`, so that desktops find the desktop entry. Absent if apt installed it. */
  readonly dataFolder?: string
  remove(): void
}

const PACKAGE = 'latchkey'
const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']

/** True if the test build includes a .deb. */
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
  // Copies the package, because apt reads it as another user.
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

/** The path of the desktop entry in the package. */
export const ENTRY = 'usr/share/applications/latchkey-desktop.desktop'

export const isInstalled = (): boolean => stateInDpkg() === 'installed'

/** The package's state according to dpkg. dpkg may still list a removed package, because it keeps some scripts. */
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

/** Every file of the system with the app's name, except dpkg's lists and the test's files. */
export function filesOfLatchkey(): string[] {
  const places = ['/etc', '/opt', '/usr', '/var/lib', '/run']
  const options = ['-xdev', '-iname', '*latchkey*', '-not', '-path', '/var/lib/dpkg/*']
  // `find` exits with an error if files vanish or only root can read them, but still lists the others.
  const { stdout } = spawnSync('find', [...places, ...options], { encoding: 'utf8' })
  return stdout.split('\n').filter((name) => name !== '')
}
