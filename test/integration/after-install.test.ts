import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/app.ts'
import { posixOnly } from '../support/systems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SCRIPT = path.join(ROOT, 'packaging/after-install.sh')
const RESTRICTED = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
const HELPER = 'opt/Latchkey/chrome-sandbox'

/** Runs the package's script in a temporary folder instead of `/`. Returns the mode of Chromium's helper. */
function runOn({ restricted, userNamespaces }: { restricted?: string; userNamespaces: boolean }): string {
  const root = temporaryFolder()
  const inRoot = (name: string) => path.join(root, name)
  for (const folder of ['opt/Latchkey', 'usr/bin', 'programs']) mkdirSync(inRoot(folder), { recursive: true })
  writeFileSync(inRoot(HELPER), '')
  if (restricted !== undefined) writeFileSync(inRoot('restricted'), restricted)
  // The real `setpriv` needs root to run a command as another user.
  writeFileSync(inRoot('programs/setpriv'), `#!/bin/sh\nexit ${userNamespaces ? 0 : 1}\n`)
  chmodSync(inRoot('programs/setpriv'), 0o755)
  const script = readFileSync(SCRIPT, 'utf8')
    .replaceAll(RESTRICTED, inRoot('restricted'))
    .replaceAll("'/opt/", `'${root}/opt/`)
    .replaceAll("'/usr/bin/", `'${root}/usr/bin/`)
    .replaceAll(/\$\{(sanitizedProductName|executable)\}/g, (_, name) =>
      name === 'executable' ? 'latchkey-desktop' : 'Latchkey',
    )
  execFileSync('sh', ['-c', script], { env: { PATH: `${inRoot('programs')}:${process.env['PATH']}` } })
  return (statSync(inRoot(HELPER)).mode & 0o7777).toString(8)
}

it('Chromium’s helper gets the mode that the kernel requires', posixOnly('the script is for Linux packages'), () => {
  expect(runOn({ userNamespaces: true, restricted: '0\n' })).toBe('755')
  expect(runOn({ userNamespaces: false })).toBe('4755')
  // With this setting, AppArmor may let `unshare` create a user namespace, but not Latchkey.
  expect(runOn({ userNamespaces: true, restricted: '1\n' })).toBe('4755')
})

it(
  'SECURITY: the .pkg puts the command on the PATH, and follows no link that another user has put in its place',
  posixOnly('the script is for macOS'),
  () => {
    const volume = temporaryFolder()
    const bin = path.join(volume, 'usr/local/bin')
    const script = path.join(ROOT, 'packaging/pkg-scripts/postinstall')
    for (const folder of [bin, path.join(volume, 'theirs')]) mkdirSync(folder, { recursive: true })
    symlinkSync(path.join(volume, 'theirs'), path.join(bin, 'latchkey'))
    execFileSync(script, ['Latchkey.pkg', '/Applications', `${volume}/`])
    expect(readlinkSync(path.join(bin, 'latchkey'))).toBe('/Applications/Latchkey.app/Contents/Resources/bin/latchkey')
    expect(readdirSync(path.join(volume, 'theirs'))).toEqual([])
  },
)
