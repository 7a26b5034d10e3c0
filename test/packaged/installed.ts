/** Installs the test build's .deb with apt, as users do; without root's rights, unpacks it into a folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lendSandbox } from '../support/app.ts'

export type Installed = ReturnType<typeof install>

const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']

export function install(deb: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
  chmodSync(folder, 0o755)
  return process.getuid?.() === 0 ? installWithApt(deb, folder) : unpack(deb, folder)
}

function installWithApt(deb: string, folder: string) {
  if (existsSync('/opt/Latchkey'))
    throw new Error('Latchkey is installed on this machine, and the test would replace it: remove it first')
  // apt reads the package as another user, who must be able to read the file.
  const file = path.join(folder, path.basename(deb))
  copyFileSync(deb, file)
  apt('install', '-y', '--no-install-recommends', file)
  rmSync(folder, { recursive: true })
  return {
    root: '',
    dataFolder: undefined,
    // dpkg keeps this list until the package is purged.
    remove: () => void (existsSync('/var/lib/dpkg/info/latchkey.list') && apt('purge', '-y', 'latchkey')),
  }
}

function unpack(deb: string, folder: string) {
  console.log('Not root: the package is unpacked, and what apt does with it is not tried.')
  execFileSync('dpkg-deb', ['--extract', deb, folder])
  lendSandbox(path.join(folder, 'opt', 'Latchkey'))
  const dataFolder = path.join(folder, 'entries')
  const entry = readFileSync(path.join(folder, ENTRY), 'utf8')
  mkdirSync(path.join(dataFolder, 'applications'), { recursive: true })
  writeFileSync(path.join(dataFolder, 'applications', path.basename(ENTRY)), entry.replace('/opt/', `${folder}/opt/`))
  // `dataFolder` is for XDG_DATA_DIRS, where desktops look for the desktop entry.
  return { root: folder, dataFolder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const ENTRY = 'usr/share/applications/latchkey-desktop.desktop'

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
