import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { CallQueue } from './call-queue.ts'
import { HandClock } from './hand-clock.ts'

const PATIENCE = 5_000

/** Stands in for the keychain: each call is noted when it begins and ends when the test says so. */
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
  let clock: HandClock
  let native: Native
  let queue: CallQueue
  let told: string[]

  beforeEach(() => {
    clock = new HandClock()
    native = new Native()
    queue = new CallQueue(clock, PATIENCE)
    told = []
  })

  const note = (label: string, promise: Promise<{ readonly kind: string }>): void => {
    void promise.then(({ kind }) => told.push(`${label} ${kind}`))
  }
  const read = (label: string) => note(label, queue.ask(native.call(label)))
  const change = (entry: string, label: string) => note(label, queue.change(entry, native.call(label)))

  test('are made one at a time, in the order they were asked for', async () => {
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

  test('give the value, or the message of what went wrong', async () => {
    const done = queue.ask(native.call('good'))
    const failed = queue.ask(native.call('bad'))
    await native.succeed('good')
    await native.fail('bad', 'the keychain broke')
    expect(await done).toEqual({ kind: 'done', value: 'good' })
    expect(await failed).toEqual({ kind: 'failed', cause: 'the keychain broke' })
  })

  test('that throw instead of rejecting fail, and the next is made', async () => {
    const thrown = queue.ask(() => {
      throw new Error('Password is required.')
    })
    read('next')
    expect(await thrown).toEqual({ kind: 'failed', cause: 'Password is required.' })
    await turn()
    expect(native.begun).toEqual(['next'])
  })

  test('are late after their time, while the native call is still pending', async () => {
    change('a', 'write')
    clock.advance(PATIENCE - 1)
    await turn()
    expect(told).toEqual([])
    clock.advance(1)
    await turn()
    expect(told).toEqual(['write late'])
    expect(queue.busy).toBe(true)
  })

  test('are not begun while a late one is still pending', async () => {
    change('a', 'hanging')
    clock.advance(PATIENCE)
    read('read')
    change('b', 'write b')
    expect(native.begun).toEqual(['hanging'])
    await native.succeed('hanging')
    expect(native.begun).toEqual(['hanging', 'read'])
  })

  test('have their own time to wait for their turn', async () => {
    change('a', 'hanging')
    clock.advance(PATIENCE - 1_000)
    read('read')
    change('b', 'write b')
    clock.advance(PATIENCE - 1)
    await turn()
    expect(told).toEqual(['hanging late'])
    clock.advance(1)
    await turn()
    expect(told).toEqual(['hanging late', 'read late', 'write b late'])
  })

  test('that end late are reported to nobody, whether they succeed or fail', async () => {
    change('a', 'one')
    clock.advance(PATIENCE)
    await native.succeed('one')
    change('a', 'two')
    clock.advance(PATIENCE)
    await native.fail('two', 'too late')
    expect(told).toEqual(['one late', 'two late'])
    expect(queue.busy).toBe(false)
  })

  test('behind a pending one keep only the newest change of each entry', async () => {
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

  test('that have begun are never overtaken', async () => {
    change('a', 'old')
    change('a', 'new')
    await native.succeed('old')
    await native.succeed('new')
    expect(told).toEqual(['old done', 'new done'])
  })

  test('that change an entry are still made when their caller was told late', async () => {
    change('a', 'hanging')
    change('b', 'write b')
    clock.advance(PATIENCE)
    await native.succeed('hanging')
    expect(native.begun).toEqual(['hanging', 'write b'])
  })

  test('that were late and are overtaken then are told nothing more and never made', async () => {
    change('a', 'hanging')
    change('b', 'old')
    clock.advance(PATIENCE)
    change('b', 'new')
    await native.succeed('hanging')
    await native.succeed('new')
    expect(native.begun).toEqual(['hanging', 'new'])
    expect(told).toEqual(['hanging late', 'old late', 'new done'])
  })

  test('that read are dropped when their caller has gone', async () => {
    change('a', 'hanging')
    read('read')
    clock.advance(PATIENCE)
    await native.succeed('hanging')
    expect(native.begun).toEqual(['hanging'])
    expect(queue.busy).toBe(false)
  })

  test('leave no deadline armed once they are told', async () => {
    change('a', 'one')
    change('a', 'overtaken')
    change('a', 'two')
    read('read')
    for (const label of ['one', 'two', 'read']) await native.succeed(label)
    expect(told).toHaveLength(4)
    expect(clock.armed).toBe(0)
  })
})
