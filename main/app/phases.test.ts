import { beforeEach, expect, it } from 'vitest'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type Part, type Phase, Phases } from './phases.ts'

let told: string[]
beforeEach(() => {
  told = []
})

function phasesOf(phases: readonly Phase[]): Phases {
  const report = (where: string, error: unknown) => told.push(`${where} failed: ${(error as Error).message}`)
  return new Phases(phases, { clock: new DeadlineClock(new ManualTime()), report, stopTimeoutMs: 10_000 })
}

const part = (name: string, own: Part = {}): Readonly<Record<string, Part>> => ({
  [name]: {
    start: () => void told.push(`start ${name}`),
    stop: () => void told.push(`stop ${name}`),
    ...own,
  },
})

it('a phase starts when the promise that it waits for settles, even if that or a part of an earlier phase fails', async () => {
  let fail = (_: Error) => {}
  const waitsFor = () => new Promise<void>((_, reject) => (fail = reject))
  const phases = phasesOf([
    {
      name: 'sessions',
      parts: { ...part('wake', { start: () => Promise.reject(new Error('no bus')) }), ...part('agent') },
    },
    { name: 'background', waitsFor, parts: part('updates') },
  ])
  const started = phases.start()
  await settle()
  expect(told).toEqual(['start agent', 'wake failed: no bus'])
  fail(new Error('no session'))
  await started
  expect(told.slice(2)).toEqual(['background failed: no session', 'start updates'])
})

it('a phase is stopped only after the next phase has stopped', async () => {
  let end = () => {}
  const stop = () => new Promise<void>((resolve) => (end = resolve))
  const phases = phasesOf([
    { name: 'core', parts: part('keychain', { start: () => {} }) },
    { name: 'sessions', parts: part('sessions', { start: () => {}, stop }) },
  ])
  await phases.start()
  const stopped = phases.stop()
  await settle()
  expect(told).toEqual([])
  end()
  await stopped
  expect(told).toEqual(['stop keychain'])
})

it('once the app is stopping, no further part starts, and only started parts are stopped', async () => {
  let ready = () => {}
  const phases = phasesOf([
    { name: 'icon', parts: part('tray') },
    { name: 'background', waitsFor: () => new Promise<void>((resolve) => (ready = resolve)), parts: part('updates') },
  ])
  const started = phases.start()
  await phases.stop()
  ready()
  await started
  expect(told).toEqual(['start tray', 'stop tray'])
})
