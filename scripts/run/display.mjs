import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { SetUpError } from './command.mjs'

/**
 * @param {{ openToLocalUsers?: boolean }} [options] `openToLocalUsers`: for tests that run the app as another user.
 *   SECURITY: otherwise xvfb-run's cookie is required, because any local user could look at the window and click in it.
 * @returns {Promise<{ env: { DISPLAY: string, XAUTHORITY: string }, stop: () => Promise<void> }>} `env`: for programs.
 */
export async function startDisplay({ openToLocalUsers = false } = {}) {
  // By default the X server resets when its last client leaves, and refuses clients that come at that moment.
  const options = `-screen 0 1280x1024x24 -noreset ${openToLocalUsers ? '-ac' : ''}`
  // The display ends with this process at the latest, because `cat` ends when its input ends.
  const script = 'echo "$DISPLAY $XAUTHORITY" && exec cat'
  const server = spawn('xvfb-run', ['-a', '-s', options, 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl+C must not end the display before the app.
    detached: true,
  })
  const ended = once(server, 'exit').catch(() => [])
  const line = (await Promise.race([once(createInterface({ input: server.stdout }), 'line'), ended]))[0]
  const [, DISPLAY = '', XAUTHORITY = ''] = /^(:\d+) (.*)$/.exec(line) ?? []
  if (DISPLAY === '') throw new SetUpError('Xvfb did not start: xvfb-run failed.')
  const stop = async () => {
    server.stdin.end()
    await ended
  }
  return { env: { DISPLAY, XAUTHORITY: openToLocalUsers ? '' : XAUTHORITY }, stop }
}
