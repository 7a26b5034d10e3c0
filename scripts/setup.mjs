import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { SetUpError } from './run/command.mjs'
import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystem } from './setup/system.mjs'

/**
 * Installs system and npm packages. Uses only Node's own modules, because npm's may not be installed yet.
 * @param {{ display: boolean, tests: boolean }} purpose `display`: for an Xvfb. `tests`: also what only tests use.
 */
export async function setUpPackages(purpose) {
  // Steps that may ask the user something come first.
  await ensureSystem(purpose)
  await ensurePackages()
}

/**
 * Makes Electron ready to run.
 * @param {{ allowFallback: boolean, sandboxed: boolean }} options `allowFallback`: see `resolveElectron`.
 *   `sandboxed`: with Chromium's sandbox.
 */
export async function setUpElectron({ allowFallback, sandboxed }) {
  const electron = await resolveElectron({ allowFallback })
  if (sandboxed) ensureSandbox(path.join(path.dirname(electron.path), 'chrome-sandbox'))
  return electron
}

const RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
const SETUID_ROOT = 0o4755

/**
 * Ubuntu since 23.10 denies user namespaces to unknown programs. There, Chromium's sandbox needs its helper, which must
 * belong to root and be setuid. We never use `--no-sandbox` instead.
 * @param {string} helper
 */
function ensureSandbox(helper) {
  if (!existsSync(RESTRICTION) || readFileSync(RESTRICTION, 'utf8').trim() !== '1' || !existsSync(helper)) return
  const { uid, mode } = statSync(helper)
  if (uid === 0 && (mode & 0o7777) === SETUID_ROOT) return
  // SECURITY: somebody else may have put the helper into the folder of ELECTRON_OVERRIDE_DIST_PATH, so root doesn't
  // make that one setuid.
  if (process.getuid?.() === 0 && !process.env['ELECTRON_OVERRIDE_DIST_PATH']) {
    chownSync(helper, 0, 0)
    chmodSync(helper, SETUID_ROOT)
  } else {
    throw new SetUpError(`This system doesn't allow Electron to use user namespaces, so Chromium's sandbox needs its helper. Install it with:

  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'
`)
  }
}
