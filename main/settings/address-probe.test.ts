import { expect, it } from 'vitest'
import type { Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { AddressProbe } from './address-probe.ts'

const NO_SUCH_HOST: Outcome = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } }
const ADDRESSES = ['https://10.0.0.1', 'https://10.0.0.2', 'https://10.0.0.3']

it('SECURITY: the probe tries one address at a time, and at most one per second', async () => {
  const time = new ManualTime()
  const reached: string[] = []
  const probe = new AddressProbe({
    clock: new DeadlineClock(time),
    reach: async (address) => {
      reached.push(address)
      return NO_SUCH_HOST
    },
  })
  const all = Promise.all(ADDRESSES.map(probe.try))
  await settle()
  expect(reached).toEqual(ADDRESSES.slice(0, 1))
  await time.passSettling(999)
  expect(reached).toEqual(ADDRESSES.slice(0, 1))
  await time.passSettling(1)
  expect(reached).toEqual(ADDRESSES.slice(0, 2))
  await time.passSettling(1_000)
  await expect(all).resolves.toEqual([NO_SUCH_HOST, NO_SUCH_HOST, NO_SUCH_HOST])
})

it('an address that didn’t answer is remembered for ten minutes, or until it is forgotten', async () => {
  const time = new ManualTime()
  const probe = new AddressProbe({
    clock: new DeadlineClock(time),
    reach: async (address) => (address === ADDRESSES[0] ? { ok: true, value: undefined } : NO_SUCH_HOST),
  })
  const tried = async (address: string | undefined) => {
    await time.passSettling(1_000)
    await probe.try(address ?? '')
    return probe.failed
  }
  expect(await tried(ADDRESSES[1])).toBe(ADDRESSES[1])
  expect(await tried(ADDRESSES[0])).toBeUndefined()
  expect(await tried(ADDRESSES[2])).toBe(ADDRESSES[2])
  await time.passSettling(10 * 60_000)
  expect(probe.failed).toBeUndefined()
  expect(await tried(ADDRESSES[1])).toBe(ADDRESSES[1])
  probe.forget()
  expect(probe.failed).toBeUndefined()
})
