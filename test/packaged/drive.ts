import type { TestProject } from 'vitest/node'
import { driven } from './builds.ts'

/**
 * Lets the tests of this run drive the packaged app: always those in this folder, and with LATCHKEY_TEST_BUILD=packaged,
 * as `npm test` has it, every other too.
 */
export default function setup({ name }: TestProject): void {
  const isAsked = process.env['LATCHKEY_TEST_BUILD'] === 'packaged'
  if (name === 'packaged' || isAsked) process.env['LATCHKEY_TEST_PACKAGED'] = driven().executable
}
