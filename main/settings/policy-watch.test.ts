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

it('no change is announced if the policy file’s content is the same', () => {
  reading = {
    layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') },
    app: {},
    tls: certificate('hush'),
    problems: [],
  }
  file.check()
  expect(changes).toBe(0)
})

it.each<[string, PolicyReading]>([
  ['a value', { ...same, layer: { ...layer, baseAddress: 'https://b.example.com' } }],
  ['the secret', { ...same, layer: { ...layer, clientSecret: clientSecret('new') } }],
  ['the agent', { ...same, app: { agent: false } }],
  ['a passphrase', { ...same, tls: certificate('new') }],
  ['a problem', { layer: {}, app: {}, problems: [{ source: 'policy', where: 'x', problem: 'unsafe' }] }],
])('a change of %s is announced', (_, other) => {
  reading = other
  file.check()
  expect(file.reading).toBe(other)
  expect(changes).toBe(1)
})

it.each(['damaged', 'unreadable'] as const)('SECURITY: if the policy is %s, its last content applies', (problem) => {
  const locked: PolicyReading = { ...same, app: { agent: false }, connections: new Map() }
  const lost: PolicyReading = { layer: {}, app: {}, problems: [{ source: 'policy', where: 'policy.json', problem }] }
  reading = locked
  file.check()
  for (reading of [lost, { ...lost }]) file.check()
  expect(file.reading).toEqual({ ...locked, problems: lost.problems })
  expect(changes).toBe(2)
  reading = { layer: {}, app: {}, problems: [] }
  file.check()
  expect(file.reading).toEqual(reading)
})

it('SECURITY: a policy that is damaged when the app starts permits nothing until it is mended', () => {
  const [whole, broken] = [parsePolicy('policy.json', '{"agent": true}'), parsePolicy('policy.json', '{')]
  reading = broken
  const opened = watch()
  for (reading of [{ ...broken }, whole, broken]) {
    const wasWhole = opened.reading === whole
    opened.check()
    // If the policy is damaged while the app runs, its last content still applies.
    expect(opened.reading.app.agent).toBe(wasWhole || reading === whole)
    expect(opened.reading.problems.some(({ problem }) => problem === 'closed')).toBe(reading !== whole && !wasWhole)
  }
})

it('SECURITY: the policy file is ignored as soon as others can write to it', () => {
  reading = { layer: {}, app: {}, problems: [{ source: 'policy', where: 'policy.json', problem: 'unsafe' }] }
  file.check()
  expect(file.reading).toEqual(reading)
})

it('within 15 minutes after a value was removed from the registry, the file’s value applies', () => {
  const own = { ...same, app: { agent: false, userConnections: false } }
  reading = own
  const both = watch({ ...NO_POLICY, app: { agent: true } })
  both.start()
  expect(both.reading).toMatchObject({ layer, app: { agent: false, userConnections: false } })
  reading = NO_POLICY
  time.pass(15 * 60_000)
  expect(both.reading).toMatchObject({ layer: {}, app: { agent: true } })
  reading = own
  time.pass(15 * 60_000)
  expect(both.reading.app).toEqual(own.app)
  both.stop()
  expect(time.pending()).toBe(0)
})

it('SECURITY: while the registry can’t be read, its last values still take precedence', () => {
  reading = { ...same, app: { agent: false } }
  const unreadable = {
    ...NO_POLICY,
    problems: [{ source: 'policy', where: 'registry', problem: 'unreadable' } as const],
  }
  const both = watch({ ...NO_POLICY, app: { agent: true } })
  reading = unreadable
  both.check()
  expect(both.reading).toMatchObject({ app: { agent: false }, problems: unreadable.problems })
})
