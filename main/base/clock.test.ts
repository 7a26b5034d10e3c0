import { describe, expect, it } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from './clock.ts'

describe('DeadlineClock', () => {
  it('includes the time asleep, even if the monotonic clock stops meanwhile', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    time.pass(10_000)
    time.sleep(3_600_000)
    expect(clock.now()).toBe(3_610_000)
  })

  it('never goes back when the wall clock does, and still notices a later sleep', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    time.pass(5_000)
    time.wallTime -= 3_600_000
    expect(clock.now()).toBe(5_000)
    time.sleep(1_800_000)
    expect(clock.now()).toBe(1_805_000)
  })

  it('doesn’t add up small differences between the two clocks', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    for (let i = 0; i < 100_000; i++) {
      time.monotonicTime += 0.4
      time.wallTime = 1_700_000_000_000 + Math.floor(time.monotonicTime) + (i % 3) * 20
      clock.now()
    }
    expect(clock.now()).toBeCloseTo(40_000, 0)
  })

  it('calls a listener at least every 30 s and whenever a timer fires, until the listener is removed', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    const looks: number[] = []
    const stop = clock.onCheck(() => looks.push(clock.now()))
    time.pass(60_000)
    expect(looks).toEqual([30_000, 60_000])
    clock.at(70_000, () => {})
    time.pass(40_000)
    expect(looks).toEqual([30_000, 60_000, 70_000, 100_000])
    stop()
    time.pass(60_000)
    expect(looks).toHaveLength(4)
  })

  it('keeps running after a timer throws', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    const fired: string[] = []
    clock.at(1_000, () => {
      throw new Error('a bug')
    })
    clock.at(1_000, () => fired.push('the same moment'))
    clock.at(40_000, () => fired.push('later'))
    for (let count = 0; count < 5; count++) attempt(() => time.pass(30_000))
    expect(fired).toEqual(['the same moment', 'later'])
  })

  it('fires a timer at most 30 s after waking if its deadline passed during sleep', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    let fired = 0
    clock.at(clock.now() + 3_600_000, () => fired++)
    time.pass(1_000)
    time.sleep(3_600_000)
    time.pass(30_000)
    expect(fired).toBe(1)
  })

  it('on check(), fires each due timer once, in the order of their deadlines', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    const fired: string[] = []
    clock.at(clock.now() + 20_000, () => fired.push('second'))
    clock.at(clock.now() + 10_000, () => fired.push('first'))
    time.sleep(60_000)
    clock.check()
    clock.check()
    expect(fired).toEqual(['first', 'second'])
  })

  it('does not fire a cancelled timer, and leaves no native timer behind', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    let fired = 0
    const cancel = clock.at(clock.now() + 1_000, () => fired++)
    cancel()
    cancel()
    expect(time.pending()).toBe(0)
    time.pass(5_000)
    expect(fired).toBe(0)
  })

  it('fires a timer on time after an earlier one was cancelled and the computer slept', () => {
    for (const asleep of [0, 4_000]) {
      const time = new ManualTime()
      const clock = new DeadlineClock(time)
      const fired: number[] = []
      const undo = clock.at(10_000, () => fired.push(0))
      clock.at(20_000, () => fired.push(clock.now()))
      undo()
      time.pass(5_000)
      time.sleep(asleep)
      clock.at(12_000, () => fired.push(clock.now()))
      time.pass(30_000)
      expect(fired).toEqual([12_000, 20_000])
    }
  })

  it('fires a timer on time after a sleep during which the monotonic clock ran on', () => {
    for (const isTold of [true, false]) {
      const time = new ManualTime()
      const clock = new DeadlineClock(time)
      const fired: number[] = []
      clock.onCheck(() => {})
      time.pass(1_000)
      time.sleepCounted(3_600_000)
      if (isTold) clock.check()
      clock.at(clock.now() + 5_000, () => fired.push(clock.now()))
      time.pass(5_000)
      expect(fired).toEqual([3_606_000])
    }
  })

  it('lets a timer’s action cancel a later timer that is also due', () => {
    const time = new ManualTime()
    const clock = new DeadlineClock(time)
    let fired = 0
    const cancel = clock.at(2_000, () => fired++)
    clock.at(1_000, () => cancel())
    time.sleep(10_000)
    clock.check()
    expect(fired).toBe(0)
  })
})

function attempt(act: () => void): void {
  try {
    act()
  } catch {}
}
