import { beforeEach, expect, it } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { clientSecret, Secret } from '../base/secret.ts'
import { NO_POLICY, type PolicyReading, parsePolicy } from './policy.ts'
import { PolicyWatch } from './policy-watch.ts'

const layer = { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') }
const same = { layer, app: {}, problems: [] }
const certificate = (phrase: string) => ({
  clientCertificate: { pfxFile: '/pc.p12', passphrase: new Secret('passphrase', phrase) },
})

let time: ManualTime
let reading: PolicyReading
let changes: number
let file: PolicyWatch

/** Watches a place that reads as `reading`, and further places that come after it in precedence. */
const watch = (...lower: readonly PolicyReading[]) =>
  new PolicyWatch({
    places: [
      { where: 'policy.json', read: () => reading },
      ...lower.map((each) => ({ where: 'file', read: () => each })),
    ],
    path: '/nowhere/latchkey/policy.json',
    clock: new DeadlineClock(time),
    onChange: () => {
      changes += 1
    },
  })

beforeEach(() => {
  reading = { ...same, tls: certificate('hush') }
  changes = 0
  time = new ManualTime()
  file = watch()
})

it('a change of any value or problem is announced, but not the same content', () => {
  const problem = { source: 'policy', where: 'x', problem: 'unsafe' } as const
  const others: PolicyReading[] = [
    { ...same, layer: { ...layer, clientSecret: clientSecret('new') }, tls: certificate('hush') },
    { ...same, app: { agent: false } },
    { ...same, tls: certificate('new') },
    // SECURITY: the policy file is ignored as soon as others can write to it.
    { layer: {}, app: {}, problems: [problem] },
  ]
  reading = { ...same, layer: { ...layer, clientSecret: clientSecret('hush') }, tls: certificate('hush') }
  file.check()
  expect(changes).toBe(0)
  others.forEach((other, index) => {
    reading = other
    file.check()
    expect([file.reading, changes]).toEqual([other, index + 1])
  })
})

it('SECURITY: a damaged policy permits nothing when the app starts; later, its last content applies until it is mended', () => {
  const [whole, broken] = [parsePolicy('policy.json', '{"agent": true}'), parsePolicy('policy.json', '{')]
  reading = broken
  const opened = watch()
  const isClosed = () => opened.reading.problems.some(({ problem }) => problem === 'closed')
  reading = { ...broken }
  opened.check()
  expect([opened.reading.app.agent, isClosed()]).toEqual([false, true])
  for (const last of [whole, { ...same, app: { agent: false } }]) {
    reading = last
    opened.check()
    for (reading of [broken, { ...broken }]) opened.check()
    expect(opened.reading).toEqual({ ...last, problems: [expect.objectContaining({ problem: 'damaged' })] })
  }
  reading = NO_POLICY
  opened.check()
  expect(opened.reading).toEqual(NO_POLICY)
})

it('within 15 minutes after a value was removed from the registry, the file’s value applies', () => {
  const own = { ...same, app: { agent: false, userConnections: false } }
  reading = own
  const both = watch({ ...NO_POLICY, app: { agent: true } })
  both.start()
  expect(both.reading).toMatchObject({ layer, app: own.app })
  // SECURITY: while the registry can't be read, its last values still take precedence.
  const problems = [{ source: 'policy', where: 'registry', problem: 'unreadable' } as const]
  reading = { ...NO_POLICY, problems }
  time.pass(15 * 60_000)
  expect(both.reading).toMatchObject({ app: own.app, problems })
  reading = NO_POLICY
  time.pass(15 * 60_000)
  expect(both.reading).toMatchObject({ layer: {}, app: { agent: true } })
  both.stop()
  expect(time.pending()).toBe(0)
})
