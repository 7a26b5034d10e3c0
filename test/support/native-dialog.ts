import { vi } from 'vitest'
import { run } from '../keyring/programs.ts'

export const NO_DISPLAY = { DISPLAY: '', WAYLAND_DISPLAY: '' }

export function xdotool(...args: readonly string[]) {
  const { DISPLAY = '', XAUTHORITY = '' } = process.env
  return run('xdotool', args, { env: { DISPLAY, XAUTHORITY } })
}

/** Searches again if another window vanishes meanwhile, because xdotool then fails. */
export async function windowsOnScreen(...options: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await xdotool('search', '--onlyvisible', ...options)
  return stderr === '' ? stdout.split('\n').filter((line) => line !== '') : windowsOnScreen(...options)
}

/** Presses these keys in the app's only dialog, once it is there. The last of them closes the dialog. */
export async function pressInDialog(...keys: readonly string[]): Promise<void> {
  const find = async () => (await windowsOnScreen('--name', '^Latchkey$'))[0]
  await xdotool('windowfocus', '--sync', await vi.waitUntil(find, { timeout: 60_000 }))
  await xdotool('key', ...keys)
}
