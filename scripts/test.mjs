import { parseArgs } from 'node:util'
import { main, print } from './run/command.mjs'
import { ensurePackages, npm } from './setup/packages.mjs'
import { ensureSystem } from './setup/system.mjs'
import { ALL, NOTHING, QUICK, total, vitest } from './test/vitest.mjs'
import { underWindows } from './windows/check.mjs'

/**
 * `npm test` runs every check, even after one has failed. `--quick`: types, lint, spelling and `QUICK`. `--no-app`: the
 * tests that don't start the app. `--windows [FOLDER…]`: every test that needs no Electron, under Node for Windows.
 * @typedef {import('./test/vitest.mjs').Count} Count
 */

/** The tests whose code differs most on Windows. */
const WINDOWS_TESTS = ['main/agent', 'main/keychain', 'main/log/log-file', 'test/windows']
const FORMAT = '`npm run format` corrects the format and most other findings.'

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, 'no-app': { type: 'boolean' }, windows: { type: 'boolean' } },
  })
  /** @type {Count[]} */
  const counts = []
  process.once('exit', () => printClosing(total(counts)))
  try {
    if (!values.windows && !values.quick) await ensureSystem({ display: true, tests: true })
    await ensurePackages()
    if (values.windows) counts.push(await underWindows(positionals))
    else if (values['no-app']) counts.push(await vitest([...QUICK, 'integration'], { name: 'no-app' }))
    else {
      // Wine mostly waits, so its tests run with the others. What Wine leaves out, Linux runs, so it isn't listed.
      const windows = values.quick ? NOTHING : underWindows(WINDOWS_TESTS)
      // Both checks run at the same time, because each uses only one core for most of its time.
      counts.push(...(await Promise.all([check('types'), check('lint')])))
      const [projects, env] = values.quick ? [QUICK, {}] : [ALL, { LATCHKEY_TEST_BUILD: 'packaged' }]
      counts.push(await vitest(projects, { name: values.quick ? 'quick' : 'all' }, env))
      const { passed, failed, skipped } = await windows
      counts.push({ passed, failed, skipped: passed > 0 ? [] : skipped })
    }
  } catch (error) {
    counts.push({ ...NOTHING, failed: [`set-up: ${error instanceof Error ? error.message.trim() : error}`] })
  }
  return total(counts).failed.length === 0 ? 0 : 1
})

/** @param {Count} count */
function printClosing({ passed, failed, skipped }) {
  if (failed.length > 0) print(['\nFailed:', ...failed].join('\n  '))
  if (skipped.length > 0) print(['\nSkipped:', ...skipped].join('\n  '))
  print(`${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
}

/** Runs a script of package.json. @param {string} name @returns {Promise<Count>} */
async function check(name) {
  const { code, output } = await npm(['run', name])
  print(`${output.trimEnd()}\n`)
  if (code === 0) return { ...NOTHING, passed: 1 }
  print(`${name} failed. ${name === 'lint' ? FORMAT : ''}`.trimEnd())
  return { ...NOTHING, failed: [name] }
}
