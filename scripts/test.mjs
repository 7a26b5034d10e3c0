import { parseArgs } from 'node:util'
import { main, print } from './run/command.mjs'
import { run } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { setUpPackages } from './setup.mjs'
import { closing, NOTHING, total } from './test/count.mjs'
import { vitest } from './test/vitest.mjs'
import { underWindows } from './windows/check.mjs'

/**
 * `npm test` installs what the checks need and runs them all, even after a failure. The last line says how many passed,
 * failed and were skipped. `--quick`: types, lint, spelling, and the tests in `QUICK`. `--no-app`: the tests that don't
 * start the app. `--windows [FOLDER…]`: under Node for Windows, the tests that need no Electron.
 *
 * @typedef {import('./test/count.mjs').Count} Count
 */

/** Need no build and nothing of the system. */
const QUICK = ['unit', 'renderer', 'isolated']
const ALL = [...QUICK, 'integration', 'e2e', 'look', 'packaged']
/** Their code differs most on Windows. */
const WINDOWS_TESTS = ['main/agent', 'main/keychain', 'main/log/log-file', 'test/windows']
const FORMAT = '`npm run format` corrects the format and most other findings.'

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, 'no-app': { type: 'boolean' }, windows: { type: 'boolean' } },
  })
  /** @type {Count[]} */
  const counts = []
  process.once('exit', () => print(closing(total(counts))))
  const record = (/** @type {Count} */ count) => counts.push(count)
  try {
    if (values.windows) {
      await ensurePackages()
      record(await underWindows(positionals))
    } else if (values['no-app']) {
      await setUpPackages({ display: true, tests: true })
      record(await vitest([...QUICK, 'integration'], { name: 'no-app' }))
    } else if (values.quick) {
      await ensurePackages()
      for (const count of await staticChecks()) record(count)
      record(await vitest(QUICK, { name: 'quick' }))
    } else {
      await setUpPackages({ display: true, tests: true })
      // Wine takes long to install and then mostly waits, so its tests run along with the others.
      const windows = underWindows(WINDOWS_TESTS).then(({ passed, failed, skipped }) =>
        record({ passed, failed, skipped: passed > 0 ? [] : skipped }),
      )
      for (const count of await staticChecks()) record(count)
      record(await vitest(ALL, { name: 'all' }, { LATCHKEY_TEST_BUILD: 'packaged' }))
      await windows
    }
  } catch (error) {
    record({ ...NOTHING, failed: [`set-up: ${error instanceof Error ? error.message.trim() : error}`] })
  }
  return total(counts).failed.length === 0 ? 0 : 1
})

/** At the same time, because the spelling check uses only one core. */
function staticChecks() {
  const tool = (/** @type {string[]} */ ...parts) => inProject('node_modules', ...parts)
  return Promise.all([
    check('types', [tool('typescript', 'bin', 'tsc'), '-b', '.', 'scripts']),
    check('lint', [tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', '.'], FORMAT),
    check('imports', [inProject('scripts', 'boundaries.mjs')]),
    check('spelling', [
      tool('cspell', 'bin.mjs'),
      'lint',
      '--no-progress',
      '--cache',
      '--cache-location',
      'out/cspell',
    ]),
  ])
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {string} [advice] Printed if the check fails.
 * @returns {Promise<Count>}
 */
async function check(name, args, advice = '') {
  const { code, output } = await run(process.execPath, args, { env: { NO_COLOR: '1' } })
  print(`\n— ${name}\n${output.trim()}`)
  if (code === 0) return { ...NOTHING, passed: 1 }
  print(`${name} failed. ${advice}`.trimEnd())
  return { ...NOTHING, failed: [name] }
}
