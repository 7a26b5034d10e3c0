import { build } from '../build.mjs'
import { setUpElectron, setUpPackages } from '../setup.mjs'
import { startDisplay } from './display.mjs'
import { onEnd, run, stopAll } from './process.mjs'
import { inProject } from './project.mjs'
import { main, SetUpError, say, step } from './say.mjs'

/**
 * Builds the app and runs a script that drives its window. The script gets this process's arguments.
 * @param {string} name The script's name in vite.tour.config.ts.
 */
export const driveWindow = (name) =>
  main(async () => {
    onEnd(() => void stopAll().finally(() => process.exit(130)))
    // On Linux, uses a private display, so that the pictures look the same everywhere and no window disturbs the user.
    const ownDisplay = process.platform === 'linux'
    await setUpPackages({ display: ownDisplay, tests: true })
    const electron = await setUpElectron({ allowFallback: true, sandboxed: true })
    const built = await step('Building', build)
    if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
    const bundle = ['--config', 'vite.tour.config.ts', '--logLevel', 'warn']
    const vite = inProject('node_modules', 'vite', 'bin', 'vite.js')
    const bundled = await run(process.execPath, [vite, 'build', ...bundle])
    if (bundled.code !== 0) throw new SetUpError(bundled.output.trim())

    say(`Driving Latchkey on Electron ${electron.version}${ownDisplay ? ', under Xvfb' : ''}.\n`)
    const display = ownDisplay ? await startDisplay({ openToLocalUsers: process.getuid?.() === 0 }) : undefined
    try {
      const env = { ...display?.env, LATCHKEY_TEST_ELECTRON: electron.path }
      const script = [inProject('out', 'tour-script', `${name}.mjs`), ...process.argv.slice(2)]
      const { code } = await run(process.execPath, script, { env, show: true })
      return code
    } finally {
      await display?.stop()
    }
  })
