import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { SetUpError } from '../run/command.mjs'
import { run } from '../run/process.mjs'

const NOBODY = 65_534
const SETUID_ROOT = 0o4755

/** @typedef {import('./electron.mjs').Electron} Electron */

/**
 * Chromium's sandbox on Linux needs user namespaces, which some systems (Ubuntu 23.10 and later) deny to unknown
 * programs. There it needs its helper instead, owned by root and setuid, or Electron refuses to start. `--no-sandbox`
 * is never the answer.
 * @param {Electron} electron
 */
export async function checkSandbox({ path: executable, source }) {
  if (process.platform !== 'linux') return
  const helper = path.join(path.dirname(executable), 'chrome-sandbox')
  if (!existsSync(helper) || isSetuidRoot(helper) || (await userNamespacesWork())) return
  if (process.getuid?.() === 0 && source !== 'override') {
    chownSync(helper, 0, 0)
    chmodSync(helper, SETUID_ROOT)
    return
  }
  const quoted = `'${helper}'`
  throw new SetUpError(`This system doesn't allow Electron to use user namespaces, so Chromium's sandbox needs its helper. Install it with:

  sudo chown root:root ${quoted} && sudo chmod 4755 ${quoted}
`)
}

/** @param {string} helper */
function isSetuidRoot(helper) {
  const { uid, mode } = statSync(helper)
  return uid === 0 && (mode & 0o7777) === SETUID_ROOT
}

/** True if an ordinary user's program can create one. */
async function userNamespacesWork() {
  const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  if (existsSync(restriction) && readFileSync(restriction, 'utf8').trim() === '1') return false
  const asOrdinaryUser = process.getuid?.() === 0 ? { uid: NOBODY } : {}
  const { code } = await run('unshare', ['--user', '--map-root-user', 'true'], { cwd: '/', ...asOrdinaryUser })
  return code === 0
}
