import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { SetUpError } from './command.mjs'

/**
 * Starts an Xvfb on a free display number.
 * @param {{ openToLocalUsers?: boolean }} [options] `openToLocalUsers`: for tests that run the app as another user.
 * @returns {Promise<{ env: { DISPLAY: string, XAUTHORITY: string }, stop: () => Promise<void> }>} `env`: what a program
 *   needs to use the display.
 */
export async function startDisplay({ openToLocalUsers = false } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-display-'))
  const authority = path.join(folder, 'authority')
  await writeFile(authority, authorityEntry(randomBytes(16)), { mode: 0o600 })
  // SECURITY: without a cookie, any local user could look at the window and click in it.
  const access = openToLocalUsers ? [] : ['-auth', authority]
  // By default the X server resets when its last client leaves, and refuses clients that come at that moment.
  const screen = ['-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset']
  const server = spawn('Xvfb', ['-displayfd', '3', ...screen, ...access], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // Ctrl+C must not end the display before the app.
    detached: true,
  })
  const kill = () => void server.kill()
  process.once('exit', kill)
  const ended = once(server, 'exit').catch(() => {})
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (server.stdio[3]) })
  const number = await Promise.race([once(lines, 'line').then(([line]) => String(line)), ended])
  if (typeof number !== 'string') {
    await stop()
    throw new SetUpError('Xvfb did not start.')
  }
  return { env: { DISPLAY: `:${number}`, XAUTHORITY: openToLocalUsers ? '' : authority }, stop }
}

/**
 * An entry in an authority file for any display (Xau's `FamilyWild`), as `xauth` would write it.
 * @param {Buffer} cookie
 */
function authorityEntry(cookie) {
  const name = Buffer.from('MIT-MAGIC-COOKIE-1')
  const wild = Buffer.from([0xff, 0xff, 0, 0, 0, 0])
  return Buffer.concat([wild, Buffer.from([0, name.length]), name, Buffer.from([0, cookie.length]), cookie])
}
