import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import './scripts/test/node20.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** How many files run at a time. Most tests wait rather than compute: on two cores, three files were the fastest. */
const WORKERS = Math.max(3, availableParallelism())

/** These files take longest, so they start first, and none is left running alone at the end. */
const LONGEST = new RegExp(
  [
    '^main/session/session\\.integration',
    '^test/clients/(?:ssh|tools)\\.',
    '^test/e2e/(?:dev|leaks|sign-in-crash|signals|tray)\\.',
    '^test/integration/(?:cli/hostile|faults/fault-matrix)\\.',
    '^test/look/states\\.',
    '^test/packaged/(?:installed|reproducible)\\.',
    '^test/security/(?:hostile-database|hostile-user)\\.',
  ].join('|'),
)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => LONGEST.test(path.relative(here, moduleId))
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

/** Some tests compute for several seconds, or longer if the processor is busy. File access is slow under Wine. */
const COMPUTING_TIMEOUT_MS = 60_000

/** Some tests wait for many programs, and each program takes seconds if the processor is busy. */
const PROGRAMS_TIMEOUT_MS = 180_000

/** These tests replace or change modules. The files of `unit` and `renderer` share theirs, which halves their time. */
const ISOLATED = '{contract,main,preload,renderer,text,demo,cli,scripts}/**/*.isolated.test.ts'

/** Most integration tests need Unix shells, D-Bus and other things that Windows doesn't have. */
const isWindows = process.platform === 'win32'

/**
 * A project whose tests run in Node, or in `options.environment`. Unless `options` says more, hooks get as much time.
 * `expect.poll` gets half of it: on a busy machine, Vitest's one second is too short for what another process does.
 */
const project = (
  name: string,
  include: string[],
  testTimeout: number,
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    environment: 'node',
    maxWorkers: WORKERS,
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: testTimeout / 2 } },
    ...options,
  },
})

/** The packages, Electron, builds and displays that the tests need are set up if missing. */
const drivesApp = (name: string, include: string[], testTimeout: number) =>
  project(name, include, testTimeout, {
    exclude: ['**/*.integration.test.ts'],
    globalSetup: 'test/support/app-set-up.ts',
    setupFiles: 'test/support/app-worker.ts',
    // Runs last: one of the files installs Latchkey on this system, where `integration` would find it.
    sequence: { groupOrder: 1 },
    hookTimeout: PROGRAMS_TIMEOUT_MS,
  })

/** A project that runs only when it is named (`--project`), because it needs another system or takes long. */
const onRequest = (name: string, timeout: number, globalSetup: string[] = []) =>
  process.argv.some((word) => word === name || word === `--project=${name}`)
    ? [project(name, [`test/${name}/**/*.test.ts`], timeout, { globalSetup })]
    : []

/** There is one project for each kind of test, so that `test:quick` can leave out the slow ones. */
export default defineConfig({
  test: {
    root: here,
    sequence: { sequencer: LongestFirst },
    projects: [
      project(
        'unit',
        ['{contract,main,preload,text,demo,cli,scripts,simulation}/**/*.test.{ts,mjs}'],
        COMPUTING_TIMEOUT_MS,
        { exclude: ['**/*.integration.test.ts', ISOLATED], isolate: false },
      ),
      {
        plugins: [preact()],
        ...project('renderer', ['renderer/**/*.test.{ts,tsx}'], COMPUTING_TIMEOUT_MS, {
          exclude: [ISOLATED],
          isolate: false,
          environment: 'happy-dom',
          setupFiles: 'test/support/renderer-worker.ts',
        }),
      },
      project('isolated', [ISOLATED], COMPUTING_TIMEOUT_MS),
      project(
        'integration',
        isWindows
          ? ['main/agent/**/*.integration.test.ts']
          : [
              '{main,demo}/**/*.integration.test.ts',
              'test/{integration,clients,responses}/**/*.test.ts',
              'test/security/*.integration.test.ts',
            ],
        PROGRAMS_TIMEOUT_MS,
        { globalSetup: isWindows ? [] : ['test/support/system-set-up.ts'] },
      ),
      drivesApp('e2e', ['test/{e2e,security}/**/*.test.ts'], PROGRAMS_TIMEOUT_MS),
      drivesApp('look', ['test/look/**/*.test.ts'], 60_000),
      drivesApp('packaged', ['test/packaged/**/*.test.ts'], PROGRAMS_TIMEOUT_MS),
      ...onRequest('windows', 60_000),
      ...onRequest('powershell', 60_000),
      ...onRequest('wine', 120_000),
      ...onRequest('packages', 60_000, ['test/packages/set-up.ts']),
      ...onRequest('installers', 300_000),
    ],
  },
})
