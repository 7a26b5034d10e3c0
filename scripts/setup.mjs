import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { checkSandbox } from './setup/sandbox.mjs'
import { ensureSystem } from './setup/system.mjs'

/**
 * Installs system and npm packages. Uses only Node's own modules, because the npm packages may not be installed yet.
 * @param {{ display: boolean, tests: boolean }} purpose `display`: true if an Xvfb will be started. `tests`: true to
 *   also install what only the tests use.
 */
export async function setUpPackages(purpose) {
  // Steps that may need user input come before slow ones.
  await ensureSystem(purpose)
  await ensurePackages()
}

/**
 * Makes Electron ready to run.
 * @param {{ allowFallback: boolean, sandboxed: boolean }} options `allowFallback`: see `resolveElectron`.
 *   `sandboxed`: true if Electron will run with Chromium's sandbox.
 */
export async function setUpElectron({ allowFallback, sandboxed }) {
  const electron = await resolveElectron({ allowFallback })
  if (sandboxed) await checkSandbox(electron)
  return electron
}
