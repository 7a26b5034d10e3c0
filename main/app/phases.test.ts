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

it('once the app is stopping, no further part starts, and started parts are stopped one phase after the other', async () => {
  let [ready, end] = [() => {}, () => {}]
  const waitsFor = () => new Promise<void>((resolve) => (ready = resolve))
  const phases = phasesOf([
    { name: 'icon', parts: part('tray') },
    { name: 'sessions', parts: part('sessions', { stop: () => new Promise<void>((resolve) => (end = resolve)) }) },
    { name: 'background', waitsFor, parts: part('updates') },
  ])
  const started = phases.start()
  const stopped = phases.stop()
  await settle()
  expect(told).toEqual(['start tray', 'start sessions'])
  end()
  ready()
  await Promise.all([started, stopped])
  expect(told.slice(2)).toEqual(['stop tray'])
})
