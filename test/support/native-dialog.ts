import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { run } from '../keyring/programs.ts'

export const NO_DISPLAY = { DISPLAY: '', WAYLAND_DISPLAY: '' }

export const xdotool = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await run('xdotool', args, { env: { DISPLAY: process.env['DISPLAY'] ?? '' } })
  return stdout.split('\n').filter((line) => line !== '')
}
const dialogs = () => xdotool('search', '--onlyvisible', '--name', '^Latchkey$')

/** Presses these keys in the app's only dialog, once it is there. The last of them closes the dialog. */
export async function pressInDialog(...keys: readonly string[]): Promise<void> {
  await expect.poll(dialogs).toHaveLength(1)
  const [id = ''] = await dialogs()
  await xdotool('windowfocus', '--sync', id)
  // Until it is drawn, the dialog ignores keys.
  await sleep(1_000)
  await xdotool('key', ...keys)
  // A busy dialog may have ignored the last key.
  for (let tries = 0; tries < 5; tries++) {
    await sleep(1_000)
    if (!(await dialogs()).includes(id)) return
    await xdotool('key', ...keys.slice(-1))
  }
}
