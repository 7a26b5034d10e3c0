import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { policyPlaces } from './policy-places.ts'
import { PolicyWatch } from './policy-watch.ts'

let folder: string
let file: PolicyWatch

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => file.stop())

/** Watches the file as if on Windows, where its owner isn't checked. A test's folder doesn't belong to root. */
function watch(name: string): string {
  const at = path.join(folder, name)
  // The registry is left out, because a test must not depend on this computer's policy.
  const places = policyPlaces(at, 'win32', {}).slice(1)
  file = new PolicyWatch({ places, path: at, clock: new DeadlineClock(systemTime), onChange: () => {} })
  file.start()
  return at
}
const agent = () => file.reading.app.agent
const becomes = (value: boolean | undefined) => expect.poll(agent, { interval: 20 }).toBe(value)

it('the policy file is read again when it or its folder is created, replaced or deleted', async () => {
  const at = watch('latchkey/policy.json')
  for (const value of [true, false]) {
    mkdirSync(path.dirname(at))
    writeFileSync(at, JSON.stringify({ agent: value }))
    await becomes(value)
    writeFileSync(`${at}.new`, JSON.stringify({ agent: !value }))
    renameSync(`${at}.new`, at)
    await becomes(!value)
    rmSync(path.dirname(at), { recursive: true })
    await becomes(undefined)
  }
})

it('behind a link, the policy file is read again when it is written', async () => {
  const target = path.join(folder, 'elsewhere/policy.json')
  for (const name of ['elsewhere', 'latchkey']) mkdirSync(path.join(folder, name))
  writeFileSync(target, '{"agent": true}')
  symlinkSync(target, path.join(folder, 'latchkey/policy.json'))
  watch('latchkey/policy.json')
  writeFileSync(target, '{"agent": false}')
  await becomes(false)
})
