import { expect, it, vi } from 'vitest'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { UpdatePlan } from './plan.ts'
import { type Updater, Updates } from './updates.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const feed = 'https://updates.example.com'
const BUSY = { failure: { details: { cause: 'busy' } } }

function open() {
  const time = new ManualTime()
  const state: { plan: UpdatePlan; isBusy: boolean } = { plan: { kind: 'on', feed }, isBusy: false }
  const updater = {
    fetch: vi.fn<Updater['fetch']>(async () => '0.2.0'),
    holds: vi.fn(() => true),
    prepare: vi.fn(async () => {}),
    install: vi.fn(),
  }
  const [load, note, onChange] = [vi.fn(async () => updater), vi.fn(), vi.fn()]
  const { plan, isBusy } = { plan: () => state.plan, isBusy: () => state.isBusy }
  const updates = new Updates({ version: '0.1.0', plan, load, clock: new DeadlineClock(time), isBusy, onChange, note })
  updates.start()
  const pass = async (milliseconds: number) => {
    time.pass(milliseconds)
    await settle()
  }
  const restart = () => updates.handlers.restartToUpdate()
  return { ...updater, state, load, note, onChange, pass, restart, offered: () => updates.view().update?.version }
}

it('checks the feed a minute after the start and then once a day, and installs an update only at the user’s request', async () => {
  const { fetch, pass, offered, note, onChange, install, restart } = open()
  fetch.mockResolvedValueOnce(undefined)
  await pass(MINUTE - 1)
  expect(fetch).not.toHaveBeenCalled()
  await pass(1)
  expect(fetch.mock.calls).toEqual([[feed]])
  expect(offered()).toBeUndefined()
  await pass(DAY)
  expect(offered()).toBe('0.2.0')
  await pass(3 * DAY)
  expect([onChange.mock.calls.length, note.mock.calls]).toEqual([1, [[{ ready: '0.2.0' }]]])
  expect(install).not.toHaveBeenCalled()
  expect(await restart()).toMatchObject({ ok: true })
  expect(install).toHaveBeenCalledOnce()
})

it('downloads and installs nothing during a sign-in, even one that begins while the update is prepared', async () => {
  const { state, fetch, pass, prepare, install, restart } = open()
  state.isBusy = true
  await pass(10 * MINUTE)
  expect(fetch).not.toHaveBeenCalled()
  state.isBusy = false
  await pass(MINUTE)
  prepare.mockImplementationOnce(async () => {
    state.isBusy = true
  })
  for (const _ of ['begins', 'goes on']) expect(await restart()).toMatchObject(BUSY)
  expect(install).not.toHaveBeenCalled()
  state.isBusy = false
  expect(await restart()).toMatchObject({ ok: true })
})

it('logs an update that fails its signature check, and doesn’t install it', async () => {
  const { pass, holds, prepare, note, offered, install, restart } = open()
  await pass(MINUTE)
  const error = new Error('code signature did not pass validation')
  holds.mockReturnValue(false)
  prepare.mockRejectedValue(error)
  expect(await restart()).toMatchObject({ ok: false })
  expect([note.mock.lastCall, offered()]).toEqual([[{ error }], undefined])
  expect(install).not.toHaveBeenCalled()
})

it('while an update is prepared, refuses a second restart and downloads nothing', async () => {
  const { pass, prepare, fetch, install, restart } = open()
  await pass(MINUTE)
  let prepared = () => {}
  prepare.mockImplementation(() => new Promise((resolve) => (prepared = resolve)))
  const restarting = restart()
  expect(await restart()).toMatchObject(BUSY)
  await settle()
  await pass(DAY)
  expect(fetch).toHaveBeenCalledOnce()
  prepared()
  expect(await restarting).toMatchObject({ ok: true })
  expect(install).toHaveBeenCalledOnce()
})

it('logs an error of the feed without showing it, and checks again the next day with a new updater', async () => {
  const { fetch, holds, pass, note, onChange, load, offered } = open()
  const error = new Error('sha512 checksum mismatch')
  fetch.mockRejectedValueOnce(error)
  holds.mockReturnValueOnce(false)
  await pass(MINUTE)
  expect([note.mock.calls, onChange.mock.calls, offered()]).toEqual([[[{ error }]], [], undefined])
  await pass(DAY)
  expect(offered()).toBe('0.2.0')
  expect(load).toHaveBeenCalledTimes(2)
})

it('a restart waits for the download of a newer update, and installs the newer one', async () => {
  const { fetch, pass, install, restart, offered } = open()
  await pass(MINUTE)
  let arrive = (_: string) => {}
  fetch.mockReturnValue(new Promise((resolve) => (arrive = resolve)))
  await pass(DAY)
  const restarting = restart()
  await settle()
  expect(install).not.toHaveBeenCalled()
  arrive('0.3.0')
  expect(await restarting).toMatchObject({ ok: true })
  expect([offered(), install.mock.calls.length]).toEqual(['0.3.0', 1])
})

it('when updates are off, loads and checks nothing, and withdraws an earlier offer', async () => {
  const { state, pass, load, offered, install, restart } = open()
  const on = state.plan
  state.plan = { kind: 'off', reason: 'noFeed' }
  await pass(2 * DAY)
  expect(load).not.toHaveBeenCalled()
  state.plan = on
  await pass(DAY)
  expect(offered()).toBe('0.2.0')
  state.plan = { kind: 'off', reason: 'noFeed' }
  expect(offered()).toBeUndefined()
  expect(await restart()).toMatchObject({ ok: false })
  expect(install).not.toHaveBeenCalled()
})
