import { expect, it, onTestFinished } from 'vitest'
import { startDisplay } from '../../scripts/run/display.mjs'
import { run } from '../keyring/programs.ts'

it.runIf(process.platform === 'linux')(
  'the display of the tests stays as it is when its last program leaves',
  async () => {
    const display = await startDisplay()
    onTestFinished(display.stop)
    const { DISPLAY = '', XAUTHORITY = '' } = display.env
    const xdotool = (...args: string[]) => run('xdotool', args, { env: { DISPLAY, XAUTHORITY } })
    // A display that is reset turns away programs that connect meanwhile, and centres the pointer.
    await xdotool('mousemove', '10', '20')
    expect((await xdotool('getmouselocation')).stdout).toMatch(/^x:10 y:20 /)
  },
)
