import { build, buildForCrashTests } from './build.mjs'
import { startDisplay } from './run/display.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main, SetUpError, step } from './run/say.mjs'
import { setUpElectron, setUpPackages } from './setup.mjs'

/**
 * `npm run test:files -- PROJECT FILE…`: builds the app, then runs these test files of one Vitest project on a private
 * display. With LATCHKEY_TEST_BUILD=packaged, it tests the packages that an earlier `npm run package -- --test` made.
 */
await main(async () => {
  onEnd(() => void stopAll().finally(() => process.exit(130)))
  const [project, ...files] = process.argv.slice(2)
  if (project === undefined || files.length === 0) throw new SetUpError('Usage: npm run test:files -- PROJECT FILE…')
  const ownDisplay = process.platform === 'linux'
  await setUpPackages({ display: ownDisplay, tests: true })
  const electron = await setUpElectron({ allowFallback: true, sandboxed: true })
  for (const each of project === 'e2e' ? [build, buildForCrashTests] : [build]) {
    const built = await step('Building', each)
    if (built.code !== 0) throw new SetUpError(`${built.output.trim()}\nThe build failed.`)
  }
  const display = ownDisplay ? await startDisplay({ openToLocalUsers: process.getuid?.() === 0 }) : undefined
  try {
    const vitest = [inProject('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project, ...files]
    const { LATCHKEY_TEST_BUILD = project === 'packaged' ? undefined : 'development' } = process.env
    const env = {
      ...display?.env,
      ELECTRON_RUN_AS_NODE: undefined,
      LATCHKEY_TEST_ELECTRON: electron.path,
      LATCHKEY_TEST_BUILD,
    }
    const { code } = await run(process.execPath, vitest, { env, show: true })
    return code
  } finally {
    await display?.stop()
  }
})
