import { beforeEach, expect, it } from 'vitest'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { UpdatePlan } from './plan.ts'
import { Updates } from './updates.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ON: UpdatePlan = { kind: 'on', feed: 'https://updates.example.com' }

let time: ManualTime
let plan: UpdatePlan
let isBusy: boolean
let answer: () => Promise<string | undefined>
let fetched: string[]
let loaded: number
let holds: boolean
let prepare: () => Promise<void>
let installed: number
let noted: unknown[]
let changes: number
let updates: Updates

beforeEach(() => {
  time = new ManualTime()
  plan = ON
  isBusy = false
  answer = async () => '0.2.0'
  fetched = []
  loaded = 0
  holds = true
  prepare = async () => {}
  installed = 0
  noted = []
  changes = 0
  updates = new Updates({
    version: '0.1.0',
    plan: () => plan,
    load: async () => {
      loaded += 1
      return {
        fetch: (feed) => {
          fetched.push(feed)
          return answer()
        },
        holds: () => holds,
        prepare: () => prepare(),
        install: () => {
          installed += 1
        },
      }
    },
    clock: new DeadlineClock(time),
    isBusy: () => isBusy,
    onChange: () => {
      changes += 1
    },
    note: (event) => noted.push(event),
  })
  updates.start()
})

const BUSY = { failure: { details: { cause: 'busy' } } }
const restart = () => updates.handlers.restartToUpdate()
const pass = async (milliseconds: number) => {
  time.pass(milliseconds)
  await settle()
}

it('checks the feed a minute after the start and then once a day, and installs an update only at the user’s request', async () => {
  answer = async () => undefined
  await pass(MINUTE - 1)
  expect(fetched).toEqual([])
  await pass(1)
  expect(fetched).toEqual(['https://updates.example.com'])
  expect([updates.view().update, noted]).toEqual([undefined, []])
  answer = async () => '0.2.0'
  await pass(DAY)
  expect(updates.view().update).toEqual({ version: '0.2.0' })
  await pass(3 * DAY)
  expect([changes, noted, installed]).toEqual([1, [{ ready: '0.2.0' }], 0])
  expect(await restart()).toMatchObject({ ok: true })
  expect(installed).toBe(1)
})

it('downloads and installs nothing during a sign-in, even one that begins while the update is prepared', async () => {
  isBusy = true
  await pass(10 * MINUTE)
  expect(fetched).toEqual([])
  isBusy = false
  await pass(MINUTE)
  expect(updates.view().update).toEqual({ version: '0.2.0' })
  prepare = async () => {
    isBusy = true
  }
  for (const _ of ['begins', 'goes on']) expect(await restart()).toMatchObject(BUSY)
  isBusy = false
  prepare = async () => {}
  expect(installed).toBe(0)
  expect(await restart()).toMatchObject({ ok: true })
  expect(installed).toBe(1)
})

it('logs an update that fails its signature check, and doesn’t install it', async () => {
  await pass(MINUTE)
  const error = new Error('code signature did not pass validation')
  prepare = async () => {
    holds = false
    throw error
  }
  expect(await restart()).toMatchObject({ ok: false })
  expect([noted.at(-1), updates.view().update, installed]).toEqual([{ error }, undefined, 0])
})

it('while an update is prepared, refuses a second restart and downloads nothing', async () => {
  await pass(MINUTE)
  let prepared = () => {}
  prepare = () => new Promise((resolve) => (prepared = resolve))
  const restarting = restart()
  expect(await restart()).toMatchObject(BUSY)
  await settle()
  await pass(DAY)
  expect(fetched).toHaveLength(1)
  prepared()
  await expect(restarting).resolves.toMatchObject({ ok: true })
  expect(installed).toBe(1)
})

it('logs an error of the feed without showing it, and checks again the next day', async () => {
  const error = new Error('sha512 checksum mismatch')
  answer = async () => Promise.reject(error)
  holds = false
  await pass(MINUTE)
  expect([noted, updates.view().update, changes]).toEqual([[{ error }], undefined, 0])
  expect(await restart()).toMatchObject({ ok: false })
  answer = async () => '0.2.0'
  holds = true
  await pass(DAY)
  expect(updates.view().update).toEqual({ version: '0.2.0' })
  // An updater that has failed and has no download may be stuck, so it is replaced.
  expect(loaded).toBe(2)
})

it('a restart waits for the download of a newer update, and installs the newer one', async () => {
  await pass(MINUTE)
  let arrive = (_: string) => {}
  answer = () => new Promise((resolve) => (arrive = resolve))
  await pass(DAY)
  const restarting = restart()
  await settle()
  expect(installed).toBe(0)
  arrive('0.3.0')
  await expect(restarting).resolves.toMatchObject({ ok: true })
  expect([updates.view().update, installed]).toEqual([{ version: '0.3.0' }, 1])
})

it('when updates are off, loads and checks nothing, and withdraws an earlier offer', async () => {
  plan = { kind: 'off', reason: 'noFeed' }
  await pass(2 * DAY)
  expect([loaded, fetched]).toEqual([0, []])
  plan = ON
  await pass(DAY)
  expect(updates.view().update).toBeDefined()
  plan = { kind: 'off', reason: 'noFeed' }
  expect(updates.view().update).toBeUndefined()
  expect(await restart()).toMatchObject({ ok: false })
  expect(installed).toBe(0)
})
