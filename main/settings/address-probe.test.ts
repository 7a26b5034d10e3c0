import { expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { AddressProbe } from './address-probe.ts'

const NO_SUCH_HOST: Outcome = { ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } }
const ADDRESSES = ['https://10.0.0.1', 'https://10.0.0.2', 'https://10.0.0.3']

it('SECURITY: the probe tries one address at a time, at most one per second; one that didn’t answer is known for a while', async () => {
  const time = new ManualTime()
  const reached: string[] = []
  const probe = new AddressProbe({
    clock: new DeadlineClock(time),
    reach: async (address) => {
      reached.push(address)
      return address === ADDRESSES[1] ? OK : NO_SUCH_HOST
    },
  })
  const all = Promise.all(ADDRESSES.map(probe.try))
  await settle()
  await time.passSettling(999)
  expect([reached, probe.failed]).toEqual([ADDRESSES.slice(0, 1), ADDRESSES[0]])
  await time.passSettling(1)
  expect([reached, probe.failed]).toEqual([ADDRESSES.slice(0, 2), undefined])
  await time.passSettling(1_000)
  expect(await all).toEqual([NO_SUCH_HOST, OK, NO_SUCH_HOST])
  expect(probe.failed).toBe(ADDRESSES[2])
  await time.passSettling(10 * 60_000)
  expect(probe.failed).toBeUndefined()
  await probe.try(ADDRESSES[0] ?? '')
  expect(probe.failed).toBe(ADDRESSES[0])
  probe.forget()
  expect(probe.failed).toBeUndefined()
})
