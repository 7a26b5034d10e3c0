import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { start } from './process.mjs'
import { SetUpError } from './say.mjs'

/**
 * @typedef {import('./process.mjs').Variables} Variables
 *
 * @typedef {object} Display
 * @property {Variables} env The environment variables with which a program uses the display.
 * @property {() => Promise<void>} stop
 */

/**
 * True if there is a display.
 * @param {Variables} [env]
 * @param {string} [platform]
 */
export const hasDisplay = (env = process.env, platform = process.platform) =>
  platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])

/**
 * Starts an Xvfb on a free display number.
 * @param {{ openToLocalUsers?: boolean }} [options] `openToLocalUsers`: gives every user of this machine access to the
 *   display. Tests need this if the app runs as another user.
 * @returns {Promise<Display>}
 */
export async function startDisplay({ openToLocalUsers = false } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-display-'))
  const authority = path.join(folder, 'authority')
  await writeFile(authority, authorityEntry(randomBytes(16)), { mode: 0o600 })
  // SECURITY: without a cookie, any local user could look at the window and click in it.
  const access = openToLocalUsers ? [] : ['-auth', authority]
  // By default the X server resets when its last client disconnects, and refuses clients that connect at that moment.
  const screen = ['-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset']
  const server = start('Xvfb', ['-displayfd', '3', ...screen, ...access], { pipe: 3 })

  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const number = (await server.said(/^(\d+)\n/m, 15_000))?.[1]
  if (number === undefined) {
    await stop()
    throw new SetUpError(`Xvfb did not start. ${(await server.ended).output.trim()}`)
  }
  const cookie = openToLocalUsers ? undefined : authority
  return { env: { DISPLAY: `:${number}`, WAYLAND_DISPLAY: undefined, XAUTHORITY: cookie }, stop }
}

/**
 * The entry in an authority file that gives access to any display (Xau's `FamilyWild`), as `xauth` would write it.
 * @param {Buffer} cookie
 */
function authorityEntry(cookie) {
  const name = Buffer.from('MIT-MAGIC-COOKIE-1')
  const wild = Buffer.from([0xff, 0xff, 0, 0, 0, 0])
  return Buffer.concat([wild, Buffer.from([0, name.length]), name, Buffer.from([0, cookie.length]), cookie])
}
