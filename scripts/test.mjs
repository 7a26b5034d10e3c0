import { mkdir, readFile, rm } from 'node:fs/promises'
import { build, buildForCrashTests } from './build.mjs'
import { packageForTests } from './package.mjs'
import { startDisplay } from './run/display.mjs'
import { onEnd, run, stopAll } from './run/process.mjs'
import { inProject } from './run/project.mjs'
import { main, say } from './run/say.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { setUpElectron, setUpPackages } from './setup.mjs'
import { add, countReport, FAILED, failures, NOTHING, PASSED, sentence } from './test/count.mjs'
import { whyNoWindows, windowsChecks, windowsTests } from './windows/check.mjs'
import { stopWine } from './windows/wine.mjs'

/**
 * `npm test`: installs what the checks need and runs every check, even after one has failed. The last line says how
 * many passed and failed, and how many this machine can't run. With `--quick`, it checks types, lint and spelling, and
 * runs only `QUICK_PROJECTS`. With `--no-app`, it runs all tests that don't start the app, and nothing else.
 *
 * @typedef {import('./test/count.mjs').Count} Count
 * @typedef {import('./run/process.mjs').Variables} Variables
 */

const STEP_LIMIT = 30 * 60_000
const REPORTS = inProject('out', 'test')
// The output has no escape codes for colours unless it goes to a terminal.
const COLOURLESS = !process.stdout.isTTY
/** The quick projects. Their tests need no build. */
const QUICK_PROJECTS = ['unit', 'renderer', 'isolated']
/** The tests whose code differs most on Windows. `npm run test:windows` also runs the other tests. */
const WINDOWS_TESTS = ['main/agent', 'main/keychain', 'main/log/log-file', 'test/windows']
/** How many of the system tests run at a time, if each has its own display. Chosen by measuring on two cores. */
const PARALLEL_RUNS = 3
/**
 * The projects whose tests use the app, or parts of the system such as shells and D-Bus. The longest come first, so
 * that parallel runs end at about the same time. `packaged` comes early, because `integration` waits for it.
 * @type {readonly { project: string, shard?: string }[]}
 */
const SYSTEM_TESTS = [
  { project: 'look' },
  { project: 'packaged' },
  ...['1/4', '2/4', '3/4', '4/4'].map((shard) => ({ project: 'e2e', shard })),
  { project: 'integration' },
]
/** What failed, a line each. It is printed again at the end. @type {string[]} */
const failed = []
const FORMAT = '`npm run format` corrects the format and most other findings.'

await main(async () => {
  onEnd(
    () =>
      void stopAll()
        .then(stopWine)
        .finally(() => process.exit(130)),
  )
  let count = NOTHING
  const [option] = process.argv.slice(2)
  const checks = option === '--quick' ? quickChecks : option === '--no-app' ? testsWithoutApp : allChecks
  try {
    for await (const one of checks()) count = add(count, one)
  } catch (error) {
    count = add(count, FAILED)
    throw error
  } finally {
    process.once('exit', () => {
      if (failed.length > 0) say(['\nFailed:', ...failed].join('\n  '))
      if (count.skipped.length > 0) say(['\nSkipped:', ...count.skipped].join('\n  '))
      say(sentence(count))
    })
  }
  return count.failed === 0 ? 0 : 1
})

/** @returns {AsyncGenerator<Count>} */
async function* quickChecks() {
  await ensurePackages()
  yield* staticChecks()
  for (const project of QUICK_PROJECTS) yield await vitest(project)
}

/** @returns {AsyncGenerator<Count>} */
async function* testsWithoutApp() {
  const ownDisplay = process.platform === 'linux'
  await setUpPackages({ display: ownDisplay, tests: true })
  for (const project of QUICK_PROJECTS) yield await vitest(project)
  // Some of these tests open a window of another program.
  const display = ownDisplay ? await startDisplay() : undefined
  try {
    yield await vitest('integration', display?.env)
  } finally {
    await display?.stop()
  }
}

/** @returns {AsyncGenerator<Count>} */
async function* allChecks() {
  // If root runs the tests, they start the app as an ordinary user, who has no access to root's display.
  const asRoot = process.getuid?.() === 0
  const ownDisplay = process.platform === 'linux' && (asRoot || !process.env['DISPLAY'])
  await setUpPackages({ display: ownDisplay, tests: true })
  // Installing Wine is slow the first time. It starts here, so that the checks that don't need Wine run meanwhile.
  const noWindows = whyNoWindows()
  noWindows.catch(() => {})
  yield* staticChecks()
  yield await check('build', build)
  yield await check('build for the crash tests', buildForCrashTests)
  for (const project of QUICK_PROJECTS) yield await vitest(project)
  say('\n— tests under Windows’ Node')
  // Tests of what Windows doesn't have are skipped there, but have just run here.
  const windows = async () => ({ ...(await windowsTests(WINDOWS_TESTS)), skipped: [] })
  yield* windowsChecks(noWindows, [windows])

  /** @type {Variables} */
  const env = {
    // Terminals in Electron-based editors set this variable, with which Electron would run as plain Node.
    ELECTRON_RUN_AS_NODE: undefined,
    // A developer's shell may still have these variables from an earlier run.
    LATCHKEY_TEST_ELECTRON: undefined,
    LATCHKEY_TEST_BUILD: undefined,
  }
  const electron = await check('Electron', async () => {
    const { path, version, source } = await setUpElectron({ allowFallback: true, sandboxed: true })
    // The executable that the tests use.
    env['LATCHKEY_TEST_ELECTRON'] = path
    return { code: 0, output: `Electron ${version} (${source})` }
  })
  yield electron
  yield await check('packages', () => packageForTests())
  if (!ownDisplay) {
    yield await systemTests([env])
    return
  }
  say(
    asRoot
      ? `Running as root: the tests use ${PARALLEL_RUNS} virtual displays (Xvfb).`
      : `There is no display: the tests use ${PARALLEL_RUNS} virtual ones (Xvfb).`,
  )
  /** @type {import('./run/display.mjs').Display[]} */
  const displays = []
  try {
    while (displays.length < PARALLEL_RUNS) displays.push(await startDisplay({ openToLocalUsers: asRoot }))
    yield await systemTests(displays.map((display) => ({ ...env, ...display.env })))
  } finally {
    for (const display of displays) await display.stop()
  }
}

/** @returns {AsyncGenerator<Count>} */
async function* staticChecks() {
  const tool = (/** @type {string[]} */ ...parts) => inProject('node_modules', ...parts)
  // The spelling check uses one core, so it runs at the same time as the others.
  const spelling = live([tool('cspell', 'bin.mjs'), 'lint', '--no-progress'], {}, false)
  yield await check('types', () => live([tool('typescript', 'bin', 'tsc'), '-b', '.', 'scripts']))
  const colours = `--colors=${COLOURLESS ? 'off' : 'force'}`
  yield await check('lint', () => live([tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', colours, '.']), FORMAT)
  yield await check('spelling', () => spelling)
}

/**
 * Runs `SYSTEM_TESTS`, as many at a time as there are environments, because tests that drive the app spend most of
 * their time waiting.
 * @param {readonly Variables[]} environments Each with its own display.
 */
async function systemTests(environments) {
  const isShown = environments.length === 1
  const waiting = [...SYSTEM_TESTS]
  /** @type {Promise<Count> | undefined} */
  let packaged
  const counts = await Promise.all(
    environments.map(async (env) => {
      let count = NOTHING
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { project, shard } = next
        // The tests of the packages install Latchkey on this system, and the integration tests would find the installed
        // app.
        if (project === 'integration') await packaged
        const running = vitest(project, env, { shard, isShown })
        if (project === 'packaged') packaged = running
        count = add(count, await running)
      }
      return count
    }),
  )
  return counts.reduce(add, NOTHING)
}

/**
 * @param {string} name
 * @param {() => Promise<{ code: number, output: string }>} work
 * @param {string} [advice] Printed if the check fails.
 */
async function check(name, work, advice) {
  say(`\n— ${name}`)
  try {
    const { code, output } = await work()
    if (output !== '') say(output.trim())
    if (code === 0) return PASSED
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
  }
  say(advice === undefined ? `${name} failed` : `${name} failed. ${advice}`)
  failed.push(name)
  return FAILED
}

/**
 * Runs a tool and shows its output.
 * @param {readonly string[]} args
 * @param {Variables} [env]
 * @param {boolean} [show]
 */
function live(args, env = {}, show = true) {
  const plain = COLOURLESS ? { NO_COLOR: '1' } : {}
  return run(process.execPath, args, { env: { ...plain, ...env }, show, limit: STEP_LIMIT })
}

/**
 * Runs one of Vitest's projects and counts the tests that passed and failed.
 * @param {string} project
 * @param {Variables} [env]
 * @param {{ shard?: string | undefined, isShown?: boolean }} [options] `shard`: a part of the project's files, such as `1/4`.
 * `isShown`: prints the output immediately, not when the tests have ended.
 */
async function vitest(project, env, { shard, isShown = true } = {}) {
  const name = shard === undefined ? project : `${project} ${shard.replace('/', ' of ')}`
  say(isShown ? `\n— ${name} tests` : `${name} tests started`)
  const report = `${REPORTS}/${name.replaceAll(' ', '-')}.json`
  await mkdir(REPORTS, { recursive: true })
  await rm(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const part = shard === undefined ? [] : ['--shard', shard]
  const args = [inProject('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project, ...part, ...reporters]
  const { code, output, timedOut } = await live(args, env, isShown)
  if (!isShown) say(`\n— ${name} tests\n${output.trim()}`)
  if (timedOut) say(`${name} tests took longer than ${STEP_LIMIT / 60_000} minutes`)
  const json = await readFile(report, 'utf8').catch(() => undefined)
  const count = countReport(json, code)
  const names = failures(json)
  failed.push(...(names.length === 0 && count.failed > 0 ? [`${name} tests`] : names))
  say(`${name}: ${sentence(count)}`)
  return count
}
