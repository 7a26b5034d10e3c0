import { resolveElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { checkSandbox } from './setup/sandbox.mjs'
import { ensureSystem } from './setup/system.mjs'

/**
 * The system's packages and ours. Uses nothing but Node itself, since before it there is nothing else.
 * @param {{ display: boolean, tests: boolean }} purpose `display`: an Xvfb is going to be started. `tests`: what
 *   only the tests call is needed too.
 */
export async function setUpPackages(purpose) {
  // First what may need a person, then what takes long.
  await ensureSystem(purpose)
  await ensurePackages()
}

/**
 * Electron, ready to run.
 * @param {{ allowFallback: boolean, sandboxed: boolean }} options `allowFallback`: see `resolveElectron`.
 *   `sandboxed`: it will run with Chromium's sandbox.
 */
export async function setUpElectron({ allowFallback, sandboxed }) {
  const electron = await resolveElectron({ allowFallback })
  if (sandboxed) await checkSandbox(electron)
  return electron
}
