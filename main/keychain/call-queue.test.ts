import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { CallQueue } from './call-queue.ts'

const TIMEOUT_MS = 5_000

/** A fake keychain. It records the start of each call; the test decides when the call ends. */
class Native {
  readonly begun: string[] = []
  readonly #ends = new Map<string, { succeed(): void; fail(message: string): void }>()

  call(label: string): () => Promise<string> {
    return () => {
      this.begun.push(label)
      return new Promise((resolve, reject) => {
        this.#ends.set(label, { succeed: () => resolve(label), fail: (message) => reject(new Error(message)) })
      })
    }
  }

  async succeed(label: string): Promise<void> {
    this.#ends.get(label)?.succeed()
    await turn()
  }

  async fail(label: string, message: string): Promise<void> {
    this.#ends.get(label)?.fail(message)
    await turn()
  }
}

describe('keychain calls', () => {
  let clock: ManualClock
  let native: Native
  let queue: CallQueue
  let told: string[]

  beforeEach(() => {
    clock = new ManualClock()
    native = new Native()
    queue = new CallQueue(clock, TIMEOUT_MS)
    told = []
  })

  const note = (label: string, promise: Promise<{ readonly kind: string }>): void => {
    void promise.then(({ kind }) => told.push(`${label} ${kind}`))
  }
  const read = (label: string) => note(label, queue.ask(native.call(label)))
  const change = (entry: string, label: string) => note(label, queue.change(entry, native.call(label)))

  test('run one at a time, in order', async () => {
    change('a', 'write a')
    read('read a')
    change('b', 'write b')
    expect(native.begun).toEqual(['write a'])
    await native.succeed('write a')
    expect(native.begun).toEqual(['write a', 'read a'])
    await native.succeed('read a')
    await native.succeed('write b')
    expect(native.begun).toEqual(['write a', 'read a', 'write b'])
    expect(told).toEqual(['write a done', 'read a done', 'write b done'])
  })

  test('a call that throws synchronously counts as failed, and the next call runs', async () => {
    const thrown = queue.ask(() => {
      throw new Error('Password is required.')
    })
    read('next')
    expect(await thrown).toEqual({ kind: 'failed', cause: 'Password is required.' })
    await turn()
    expect(native.begun).toEqual(['next'])
  })

  test('include the wait for their turn in their own timeout', async () => {
    change('a', 'hanging')
    clock.advance(TIMEOUT_MS - 1_000)
    read('read')
    change('b', 'write b')
    clock.advance(TIMEOUT_MS - 1)
    await turn()
    expect(told).toEqual(['hanging late'])
    clock.advance(1)
    await turn()
    expect(told).toEqual(['hanging late', 'read late', 'write b late'])
  })

  test('of several waiting changes of one entry, only the newest is kept', async () => {
    change('a', 'hanging')
    for (const label of ['a1', 'a2', 'a3']) change('a', label)
    change('b', 'b1')
    change('a', 'delete a')
    await turn()
    expect(told).toEqual(['a1 overtaken', 'a2 overtaken', 'a3 overtaken'])
    for (const label of ['hanging', 'b1', 'delete a']) await native.succeed(label)
    expect(native.begun).toEqual(['hanging', 'b1', 'delete a'])
    expect(told.slice(3)).toEqual(['hanging done', 'b1 done', 'delete a done'])
  })

  test('a change of an entry still runs after its timeout', async () => {
    change('a', 'hanging')
    change('b', 'write b')
    clock.advance(TIMEOUT_MS)
    await native.succeed('hanging')
    expect(native.begun).toEqual(['hanging', 'write b'])
  })

  test('a change that timed out and was then replaced never runs', async () => {
    change('a', 'hanging')
    change('b', 'old')
    clock.advance(TIMEOUT_MS)
    change('b', 'new')
    await native.succeed('hanging')
    await native.succeed('new')
    expect(native.begun).toEqual(['hanging', 'new'])
    expect(told).toEqual(['hanging late', 'old late', 'new done'])
  })

  test('a waiting read is dropped after its timeout', async () => {
    change('a', 'hanging')
    read('read')
    clock.advance(TIMEOUT_MS)
    await native.succeed('hanging')
    expect(native.begun).toEqual(['hanging'])
    expect(queue.busy).toBe(false)
  })

  test('leave no timer behind', async () => {
    change('a', 'one')
    change('a', 'overtaken')
    change('a', 'two')
    read('read')
    for (const label of ['one', 'two', 'read']) await native.succeed(label)
    expect(told).toHaveLength(4)
    expect(clock.armed).toBe(0)
  })
})
