import { driven } from './builds.ts'

/** Lets the end to end tests of this run drive the packaged app. */
export default function setup(): void {
  process.env['LATCHKEY_TEST_PACKAGED'] = driven().executable
}
