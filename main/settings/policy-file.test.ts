import { beforeEach, expect, it } from 'vitest'
import { DeadlineClock } from '../base/clock.ts'
import { clientSecret, Secret } from '../base/secret.ts'
import { ManualTime } from '../session/testing/manual-time.ts'
import type { PolicyReading } from './policy.ts'
import { PolicyFile } from './policy-file.ts'

const layer = { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') }
const same = { layer, app: {}, problems: [] }
const certificate = (phrase: string) => ({
  clientCertificate: { pfxFile: '/pc.p12', passphrase: new Secret('passphrase', phrase) },
})

let reading: PolicyReading
let changes: number
let file: PolicyFile

beforeEach(() => {
  reading = { ...same, tls: certificate('hush') }
  changes = 0
  file = new PolicyFile({
    path: '/nowhere/latchkey/policy.json',
    platform: 'linux',
    clock: new DeadlineClock(new ManualTime()),
    onChange: () => {
      changes += 1
    },
    read: () => reading,
  })
})

it('no change is announced if the policy file has the same content', () => {
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

it('SECURITY: the policy file is ignored as soon as others can write it', () => {
  reading = { layer: {}, app: {}, problems: [{ source: 'policy', where: 'policy.json', problem: 'unsafe' }] }
  file.check()
  expect(file.reading).toEqual(reading)
})
