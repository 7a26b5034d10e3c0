import { expect, it, onTestFinished } from 'vitest'
import { startDisplay } from '../../scripts/run/display.mjs'
import { run } from '../keyring/programs.ts'

it.runIf(process.platform === 'linux')('the tests’ display doesn’t reset when its last program ends', async () => {
  const display = await startDisplay()
  onTestFinished(display.stop)
  const { DISPLAY = '', XAUTHORITY = '' } = display.env
  const xdotool = (...args: string[]) => run('xdotool', args, { env: { DISPLAY, XAUTHORITY } })
  // A display that resets refuses new programs and moves the pointer to the centre.
  await xdotool('mousemove', '10', '20')
  expect((await xdotool('getmouselocation')).stdout).toMatch(/^x:10 y:20 /)
})
