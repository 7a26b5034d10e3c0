import { beforeEach, expect, it } from 'vitest'
import { type Part, type Phase, Phases } from './phases.ts'
import { DeadlineClock } from './session/clock.ts'
import { ManualTime } from './session/testing/manual-time.ts'

let told: string[]
let time: ManualTime
beforeEach(() => {
  told = []
  time = new ManualTime()
})

function phasesOf(phases: readonly Phase[]): Phases {
  const report = (where: string, error: unknown) => told.push(`${where} failed: ${(error as Error).message}`)
  return new Phases(phases, { clock: new DeadlineClock(time), report, stopTimeoutMs: 10_000 })
}

const part = (name: string, own: Part = {}): Readonly<Record<string, Part>> => ({
  [name]: {
    start: () => void told.push(`start ${name}`),
    stop: () => void told.push(`stop ${name}`),
    ...own,
  },
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
const never = () => new Promise<void>(() => {})

it('phases and their parts start in order, and stop in reverse order', async () => {
  const phases = phasesOf([
    { name: 'icon', parts: { ...part('log'), ...part('tray') } },
    { name: 'sessions', parts: part('sessions') },
  ])
  await phases.start()
  expect(told).toEqual(['start log', 'start tray', 'start sessions'])
  told = []
  await phases.stop()
  expect(told).toEqual(['stop sessions', 'stop tray', 'stop log'])
})

it('a phase starts when the promise that it waits for settles', async () => {
  let fail = (_: Error) => {}
  const waitsFor = () => new Promise<void>((_, reject) => (fail = reject))
  const phases = phasesOf([
    { name: 'sessions', parts: part('sessions') },
    { name: 'background', waitsFor, parts: part('updates') },
  ])
  const started = phases.start()
  await settled()
  expect(told).toEqual(['start sessions'])
  fail(new Error('no session'))
  await started
  expect(told).toEqual(['start sessions', 'background failed: no session', 'start updates'])
})

it('a part that throws when started is reported, and the others run', async () => {
  const broken = part('agent', {
    start: () => {
      throw new Error('no socket')
    },
  })
  const brokenLater = part('updates', { start: () => Promise.reject(new Error('no feed')) })
  await phasesOf([{ name: 'sessions', parts: { ...broken, ...brokenLater, ...part('sessions') } }]).start()
  await settled()
  expect(told).toEqual(['agent failed: no socket', 'start sessions', 'updates failed: no feed'])
})

it('the parts of a phase are stopped after all parts of the next phase have stopped', async () => {
  let end = () => {}
  const stop = () => new Promise<void>((resolve) => (end = resolve))
  const phases = phasesOf([
    { name: 'core', parts: part('keychain', { start: () => {} }) },
    { name: 'sessions', parts: part('sessions', { start: () => {}, stop }) },
  ])
  await phases.start()
  const stopped = phases.stop()
  await settled()
  expect(told).toEqual([])
  end()
  await stopped
  expect(told).toEqual(['stop keychain'])
})

it('one deadline applies to stopping all parts', async () => {
  const stuck = (name: string) =>
    part(name, {
      start: () => {},
      stop: () => {
        told.push(`stop ${name}`)
        return never()
      },
    })
  const phases = phasesOf([
    { name: 'core', parts: stuck('keychain') },
    { name: 'sessions', parts: stuck('sessions') },
  ])
  await phases.start()
  const stopped = phases.stop()
  time.pass(9_999)
  await settled()
  expect(told).toEqual(['stop sessions'])
  time.pass(1)
  await settled()
  time.pass(0)
  await stopped
  expect(told).toEqual(['stop sessions', 'stop keychain'])
})

it('no part starts after a stop, and only parts that were started are stopped', async () => {
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
