import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'
import './scripts/test/node20.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** By default Vitest leaves one core idle, which is half of a machine with two cores. */
const EVERY_CORE = '100%'

/** A few tests compute for several seconds, and for longer while other programs use the processor. */
const COMPUTING_TIMEOUT_MS = 20_000

/**
 * Tests that replace or change modules. Each of these files gets its own modules, while the files of `unit` and
 * `renderer` share them (`isolate: false`), which halves their time.
 */
const ISOLATED = '{contract,main,preload,renderer,text,demo,cli,scripts}/**/*.isolated.test.ts'

/** Most integration tests use Unix shells, D-Bus and other features that Windows doesn't have. */
const isWindows = process.platform === 'win32'

/** File access is slow under Wine, so tests that write thousands of lines need more time. */
const UNIT_TIMEOUT_MS = isWindows ? 60_000 : COMPUTING_TIMEOUT_MS

/** One project for each kind of test, so that `test:quick` can leave out the slow ones. */
export default defineConfig({
  test: {
    root: here,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,main,preload,text,demo,cli,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/*.integration.test.ts', ISOLATED],
          environment: 'node',
          isolate: false,
          maxWorkers: EVERY_CORE,
          testTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        plugins: [preact()],
        test: {
          name: 'renderer',
          include: ['renderer/**/*.test.{ts,tsx}'],
          exclude: [ISOLATED],
          environment: 'happy-dom',
          isolate: false,
          maxWorkers: EVERY_CORE,
          testTimeout: COMPUTING_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'isolated',
          include: [ISOLATED],
          environment: 'node',
          maxWorkers: EVERY_CORE,
          testTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'integration',
          include: isWindows
            ? ['main/agent/**/*.integration.test.ts']
            : [
                '{main,demo}/**/*.integration.test.ts',
                'test/{integration,clients,world}/**/*.test.ts',
                'test/security/*.integration.test.ts',
              ],
          environment: 'node',
          maxWorkers: EVERY_CORE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'windows',
          include: ['test/windows/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'powershell',
          include: ['test/powershell/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'wine',
          include: ['test/wine/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: ['test/support/ordinary-user.ts', 'test/packaged/drive.ts'],
          include: ['test/{e2e,security}/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'look',
          globalSetup: 'test/support/ordinary-user.ts',
          include: ['test/look/**/*.test.ts'],
          environment: 'node',
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'packaged',
          globalSetup: ['test/support/ordinary-user.ts', 'test/packaged/drive.ts'],
          include: ['test/packaged/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'packages',
          include: ['test/packages/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'installers',
          include: ['test/installers/**/*.test.ts'],
          environment: 'node',
          testTimeout: 300_000,
        },
      },
    ],
  },
})
