import { beforeEach, expect, it, vi } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { clientSecret, Secret } from '../base/secret.ts'
import { NO_POLICY, type PolicyReading, parsePolicy } from './policy.ts'
import { PolicyWatch } from './policy-watch.ts'

const readingOf = ({ secret = 'hush', phrase = 'hush', agent = true } = {}): PolicyReading => ({
  layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret(secret) },
  app: { agent },
  tls: { clientCertificate: { pfxFile: '/pc.p12', passphrase: new Secret('passphrase', phrase) } },
  problems: [],
})
const problemOf = (problem: 'unsafe' | 'unreadable') => ({ source: 'policy', where: 'policy.json', problem }) as const

let time: ManualTime
let reading: PolicyReading
const onChange = vi.fn()

const watch = (lower: PolicyReading = NO_POLICY) => {
  const places = [
    { where: 'registry', read: () => reading },
    { where: 'file', read: () => lower },
  ]
  return new PolicyWatch({ places, path: '/nowhere/latchkey/policy.json', clock: new DeadlineClock(time), onChange })
}

beforeEach(() => {
  onChange.mockClear()
  time = new ManualTime()
  reading = readingOf()
})

it('a change of any value or problem is announced, but not the same content', () => {
  const policy = watch()
  reading = readingOf()
  policy.check()
  expect(onChange).not.toHaveBeenCalled()
  // SECURITY: the policy file is ignored as soon as others can write to it.
  const unsafe = { ...NO_POLICY, problems: [problemOf('unsafe')] }
  const secret = 'new'
  const others = [readingOf({ secret }), readingOf({ secret, phrase: 'new' }), readingOf({ agent: false }), unsafe]
  others.forEach((other, index) => {
    reading = other
    policy.check()
    expect(policy.reading).toEqual({ keys: new Map(), ...other })
    expect(onChange).toHaveBeenCalledTimes(index + 1)
  })
})

it('SECURITY: a damaged policy permits nothing when the app starts; later, its last content applies until it is mended', () => {
  const [whole, broken] = [parsePolicy('policy.json', '{"agent": true}'), parsePolicy('policy.json', '{')]
  reading = broken
  const policy = watch()
  const isClosed = () => policy.reading.problems.some(({ problem }) => problem === 'closed')
  reading = { ...broken }
  policy.check()
  expect([policy.reading.app.agent, isClosed()]).toEqual([false, true])
  for (const last of [whole, readingOf({ agent: false })]) {
    reading = last
    policy.check()
    for (reading of [broken, { ...broken }]) policy.check()
    expect(policy.reading).toMatchObject({ ...last, problems: [{ problem: 'damaged' }] })
  }
  reading = NO_POLICY
  policy.check()
  expect(policy.reading).toEqual({ keys: new Map(), ...NO_POLICY })
})

it('within 15 minutes after a value was removed from the registry, the file’s value applies', () => {
  const { layer } = reading
  reading = readingOf({ agent: false })
  const policy = watch({ ...NO_POLICY, app: { agent: true } })
  policy.start()
  expect(policy.reading).toMatchObject({ layer, app: { agent: false } })
  // SECURITY: while the registry can't be read, its last values still take precedence.
  reading = { ...NO_POLICY, problems: [problemOf('unreadable')] }
  time.pass(15 * 60_000)
  expect(policy.reading).toMatchObject({ app: { agent: false }, problems: reading.problems })
  reading = NO_POLICY
  time.pass(15 * 60_000)
  expect(policy.reading).toMatchObject({ app: { agent: true } })
  policy.stop()
  expect(time.pending()).toBe(0)
})
