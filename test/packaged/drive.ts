import type { TestProject } from 'vitest/node'
import { driven } from './builds.ts'

/**
 * Makes the tests of this run use the packaged app. With LATCHKEY_TEST_BUILD=development, the tests in `test/e2e` and
 * `test/security` use the build in `out` instead, which takes less time to make.
 */
export default function setup({ name }: TestProject): void {
  const { LATCHKEY_TEST_BUILD: build = 'packaged' } = process.env
  if (build === 'packaged') process.env['LATCHKEY_TEST_PACKAGED'] = driven().executable
  else if (build !== 'development' || name === 'packaged') {
    throw new Error(`LATCHKEY_TEST_BUILD is "${build}": the tests of ${name} don't support that`)
  }
}
