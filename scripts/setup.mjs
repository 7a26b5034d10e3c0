import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { checkSandbox } from './setup/sandbox.mjs'
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
  if (sandboxed) await checkSandbox(electron)
  return electron
}
