import { beforeEach, expect, it } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from './clock.ts'

let time: ManualTime
let clock: DeadlineClock
let fired: number[]
const fireAt = (deadline: number) => clock.at(deadline, () => fired.push(clock.now()))

beforeEach(() => {
  time = new ManualTime()
  clock = new DeadlineClock(time)
  fired = []
})

it('includes the time asleep, and never goes back when the wall clock does', () => {
  time.pass(10_000)
  time.sleep(3_600_000)
  expect(clock.now()).toBe(3_610_000)
  time.wallTime -= 3_600_000
  expect(clock.now()).toBe(3_610_000)
  time.sleep(1_800_000)
  expect(clock.now()).toBe(5_410_000)
})

it('doesn’t add up small differences between the two clocks', () => {
  for (let i = 0; i < 100_000; i++) {
    time.monotonicTime += 0.4
    time.wallTime = 1_700_000_000_000 + Math.floor(time.monotonicTime) + (i % 3) * 20
    clock.now()
  }
  expect(clock.now()).toBeCloseTo(40_000, 0)
})

it('calls a listener at least every 30 s and whenever a timer fires, until the listener is removed', () => {
  const looks: number[] = []
  const stop = clock.onCheck(() => looks.push(clock.now()))
  fireAt(70_000)
  time.pass(100_000)
  expect(looks).toEqual([30_000, 60_000, 70_000, 100_000])
  stop()
  time.pass(60_000)
  expect([looks.length, time.pending()]).toEqual([4, 0])
})

it('keeps running after a timer throws', () => {
  clock.at(1_000, () => {
    throw new Error('a bug')
  })
  fireAt(1_000)
  fireAt(40_000)
  for (let count = 0; count < 5; count++) {
    try {
      time.pass(30_000)
    } catch {}
  }
  expect(fired).toHaveLength(2)
})

it('fires each timer once, in the order of their deadlines: at most 30 s after waking, or at once on check()', () => {
  const order: string[] = []
  for (const isChecked of [true, false, true]) {
    clock.at(clock.now() + 200_000, () => order.push('second'))
    clock.at(clock.now() + 100_000, () => order.push('first'))
    time.sleep(3_600_000)
    if (isChecked) clock.check()
    else time.pass(30_000)
    expect(order.splice(0)).toEqual(['first', 'second'])
  }
})

it('does not fire a timer that was cancelled, even by another timer that is due with it', () => {
  const cancel = fireAt(1_000)
  cancel()
  cancel()
  expect(time.pending()).toBe(0)
  const cancelLater = fireAt(2_000)
  clock.at(1_000, cancelLater)
  time.sleep(10_000)
  clock.check()
  expect(fired).toEqual([])
})

it.each([0, 4_000])('fires a timer on time after an earlier one was cancelled and a sleep of %i ms', (asleep) => {
  const cancel = fireAt(10_000)
  fireAt(20_000)
  cancel()
  time.pass(5_000)
  time.sleep(asleep)
  fireAt(12_000)
  time.pass(30_000)
  expect(fired).toEqual([12_000, 20_000])
})

it.each([true, false])(
  'fires a timer on time after a sleep that the monotonic clock counts (noticed: %s)',
  (isTold) => {
    clock.onCheck(() => {})
    time.pass(1_000)
    time.sleepCounted(3_600_000)
    if (isTold) clock.check()
    fireAt(clock.now() + 5_000)
    time.pass(5_000)
    expect(fired).toEqual([3_606_000])
  },
)
