import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { run, startDaemon, until } from '../../keyring/programs.ts'
import { readScreen } from '../picture.ts'

export type Screen = Awaited<ReturnType<typeof startScreen>>

/** An Xvfb that keeps its screen in a file, which `picture` reads, so screenshots need no other program. */
export async function startScreen(folder: string) {
  const frames = path.join(folder, 'frames')
  mkdirSync(frames)
  // The screen is white where there is no window. The server requires no cookie, because the app may run as another user
  // and must be able to draw here.
  const look = '-screen 0 1024x768x24 -wr'
  const server = startDaemon(
    'sh',
    ['-c', `exec Xvfb -displayfd 3 ${look} -nolisten tcp -noreset -fbdir "$0" 3>&2`, frames],
    // The server doesn't get the environment of the user who runs the tests.
    { env: {} },
  )
  const number = () => /^(\d+)\n/m.exec(server.said())?.[1]
  await until(
    () => number() !== undefined,
    () => `Xvfb did not start:\n${server.said()}`,
  )
  const env = { DISPLAY: `:${number()}`, XAUTHORITY: '/dev/null' }
  const xdotool = async (...args: string[]) => {
    const { code, stderr } = await run('xdotool', args, { env })
    if (code !== 0) throw new Error(`xdotool: ${stderr}`)
  }
  return {
    env,
    picture: () => readScreen(path.join(frames, 'Xvfb_screen0')),
    moveTo: (x: number, y: number) => xdotool('mousemove', String(x), String(y)),
    click: (button: 1 | 3) => xdotool('click', String(button)),
    press: (key: string) => xdotool('key', key),
    stop: () => server.stop(),
  }
}
