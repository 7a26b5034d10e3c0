import { beforeEach, expect, it } from 'vitest'
import { DeadlineClock } from '../session/clock.ts'
import { Secret } from '../session/secret.ts'
import { HandTime } from '../session/testing/hand-time.ts'
import { clientSecret } from './layer.ts'
import type { PolicyReading } from './policy.ts'
import { PolicyFile } from './policy-file.ts'

const same = { layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') }, problems: [] }
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
    clock: new DeadlineClock(new HandTime()),
    onChange: () => {
      changes += 1
    },
    read: () => reading,
  })
})

it('is read at the start', () => {
  expect(file.reading).toBe(reading)
  expect(changes).toBe(0)
})

it('says nothing where it says the same', () => {
  reading = {
    layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') },
    tls: certificate('hush'),
    problems: [],
  }
  file.check()
  expect(changes).toBe(0)
})

it.each<[string, PolicyReading]>([
  ['a value', { layer: { baseAddress: 'https://b.example.com', clientSecret: clientSecret('hush') }, problems: [] }],
  ['the secret', { layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret('new') }, problems: [] }],
  [
    'the agent',
    { layer: { baseAddress: 'https://a.example.com', clientSecret: clientSecret('hush') }, agent: false, problems: [] },
  ],
  ['a passphrase', { ...same, tls: certificate('new') }],
  ['a problem', { layer: {}, problems: [{ source: 'policy', where: 'x', problem: 'unsafe' }] }],
])('tells that %s is another', (_, other) => {
  reading = other
  file.check()
  expect(file.reading).toBe(other)
  expect(changes).toBe(1)
})

it.each(['damaged', 'unreadable'] as const)('SECURITY: while it is %s, what it said before counts', (problem) => {
  const locked: PolicyReading = { ...same, agent: false, connections: new Map() }
  const lost: PolicyReading = { layer: {}, problems: [{ source: 'policy', where: 'policy.json', problem }] }
  reading = locked
  file.check()
  for (reading of [lost, { ...lost }]) file.check()
  expect(file.reading).toEqual({ ...locked, problems: lost.problems })
  expect(changes).toBe(2)
  reading = { layer: {}, problems: [] }
  file.check()
  expect(file.reading).toEqual(reading)
})

it('SECURITY: from the moment that others can write it, none of it counts', () => {
  reading = { layer: {}, problems: [{ source: 'policy', where: 'policy.json', problem: 'unsafe' }] }
  file.check()
  expect(file.reading).toEqual(reading)
})
