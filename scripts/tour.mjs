import { build } from './build.mjs'
import { startDisplay } from './run/display.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main, SetUpError, say, step } from './run/say.mjs'
import { setUpElectron, setUpPackages } from './setup.mjs'

/** `npm run tour`: drives the real window through the main job and saves a picture of each view to `out/tour/`. */
await main(async () => {
  onEnd(() => void stopAll().finally(() => process.exit(130)))
  // Always its own display, so that the pictures are the same everywhere and don't disturb anyone's work.
  const ownDisplay = process.platform === 'linux'
  await setUpPackages({ display: ownDisplay, tests: true })
  const electron = await setUpElectron({ allowFallback: true, sandboxed: true })
  const built = await step('Building', build)
  if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
  const bundle = ['--config', 'vite.tour.config.ts', '--logLevel', 'warn']
  const bundled = await run(process.execPath, [inProject('node_modules', 'vite', 'bin', 'vite.js'), 'build', ...bundle])
  if (bundled.code !== 0) throw new SetUpError(bundled.output.trim())

  say(`Driving Latchkey on Electron ${electron.version}${ownDisplay ? ', under Xvfb' : ''}.\n`)
  const display = ownDisplay ? await startDisplay({ openToLocalUsers: process.getuid?.() === 0 }) : undefined
  try {
    const env = { ...display?.env, LATCHKEY_TEST_ELECTRON: electron.path }
    const { code } = await run(process.execPath, [inProject('out', 'tour-script', 'tour.mjs')], { env, show: true })
    return code
  } finally {
    await display?.stop()
  }
})
