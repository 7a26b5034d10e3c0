import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import type { KeytarCall } from './keytar-child.ts'
import { type KeytarChild, KeytarProcess } from './keytar-process.ts'
import { KEYCHAIN_TIMEOUT_MS } from './keytar-store.ts'

const START_MS = 10_000
const CALL_MS = 300_000
const IDLE_MS = 10_000
const PING_MS = 1_500

/** A child that records the calls, which the test answers. It answers pings unless it hangs. */
class HandChild implements KeytarChild {
  readonly calls: KeytarCall[] = []
  isKilled = false
  hangs = false
  #hear: (message: unknown) => void = () => {}
  exit = async (): Promise<void> => {}

  send(message: unknown): void {
    const call = message as KeytarCall
    if (call.method !== 'ping') this.calls.push(call)
    else if (!this.hangs) this.#hear({ kind: 'alive' })
  }

  onMessage(hear: (message: unknown) => void): void {
    this.#hear = hear
  }

  onExit(hear: () => void): void {
    this.exit = async () => {
      hear()
      await turn()
    }
  }

  kill(): void {
    this.isKilled = true
  }

  async emit(message: unknown): Promise<void> {
    this.#hear(message)
    await turn()
  }

  answer = (value: string | boolean | null) => this.emit({ kind: 'done', id: this.calls.at(-1)?.id, value })
  fail = (cause: string) => this.emit({ kind: 'failed', id: this.calls.at(-1)?.id, cause })
}

describe('keytar in a child process', () => {
  let clock: ManualClock
  let children: HandChild[]
  let keytar: KeytarProcess
  let told: string[]

  beforeEach(() => {
    clock = new ManualClock()
    children = []
    told = []
    const fork = () => {
      const child = new HandChild()
      children.push(child)
      return child
    }
    keytar = new KeytarProcess({ fork, clock, startMs: START_MS, callMs: CALL_MS, idleMs: IDLE_MS })
  })

  const child = (index = children.length - 1): HandChild => {
    const one = children[index]
    if (one === undefined) throw new Error(`there is no child ${index}`)
    return one
  }
  const note = (label: string, promise: Promise<unknown>): void => {
    void promise.then(
      (value) => told.push(`${label}: ${value}`),
      (error: Error) => told.push(`${label} failed: ${error.message}`),
    )
  }
  const read = (label: string) => note(label, keytar.getPassword('Latchkey', label))
  const used = async (): Promise<HandChild> => {
    read('before')
    await child().emit({ kind: 'ready' })
    await child().answer('value')
    told = []
    return child()
  }

  test('uses the child that was started early, ends it when idle, and starts another for the next call', async () => {
    const first = new HandChild()
    keytar = new KeytarProcess({ fork: () => child(), first, clock, callMs: CALL_MS, idleMs: IDLE_MS })
    read('a')
    await first.emit({ kind: 'ready' })
    clock.advance(CALL_MS - 1)
    expect(first.isKilled).toBe(false)
    await first.answer('value of a')
    expect(told).toEqual(['a: value of a'])
    clock.advance(IDLE_MS - 1)
    expect(first.isKilled).toBe(false)
    clock.advance(1)
    expect(first.isKilled).toBe(true)
    children.push(new HandChild())
    read('b')
    await child().emit({ kind: 'ready' })
    await child().answer('value of b')
    expect(told).toEqual(['a: value of a', 'b: value of b'])
  })

  test('a call that fails at once in a child that has already answered is repeated once, in a new child', async () => {
    const first = await used()
    note('set', keytar.setPassword('Latchkey', 'a', 'value'))
    await first.fail('The session wrapping the secret does not exist')
    expect(first.isKilled).toBe(true)
    expect(child().calls).toEqual([{ ...first.calls.at(-1), id: 1 }])
    await child().fail('still gone')
    expect(children).toHaveLength(2)
    expect(told).toEqual(['set failed: still gone'])
  })

  test('isn’t asked again if a child fails that has never answered, or if the user may have refused', async () => {
    read('a')
    await child().emit({ kind: 'ready' })
    await child().fail('the keychain broke')
    expect(told).toEqual(['a failed: the keychain broke'])
    const second = await used()
    read('b')
    clock.advance(1_001)
    await second.fail('Cannot create an item in a locked collection')
    expect(told).toEqual(['b failed: Cannot create an item in a locked collection'])
    expect(children).toHaveLength(2)
  })

  test('before the caller’s timeout passes, replaces a child that doesn’t answer pings', async () => {
    const first = await used()
    read('a')
    first.hangs = true
    for (let time = 0; time < KEYCHAIN_TIMEOUT_MS - 1; time += 100) clock.advance(100)
    await turn()
    expect(first.isKilled).toBe(true)
    expect(told).toEqual(['a failed: the keychain process hung'])
    read('b')
    await child().emit({ kind: 'ready' })
    await child().answer('value')
    expect(told.at(-1)).toBe('b: value')
  })

  test('keeps a child that answers no pings while it starts, or misses one because the computer has slept', async () => {
    read('a')
    child().hangs = true
    for (let time = 0; time < 5; time += 1) clock.advance(PING_MS)
    await child().emit({ kind: 'ready' })
    clock.advance(PING_MS)
    child().hangs = false
    for (let time = 0; time < 5; time += 1) clock.advance(PING_MS)
    await child().answer('value')
    expect(told).toEqual(['a: value'])
  })

  test('says why libsecret can’t be loaded', async () => {
    note('load', keytar.load())
    read('a')
    await child().emit({ kind: 'unloadable', cause: 'libsecret-1.so.0: cannot open shared object file' })
    const why = 'libsecret-1.so.0: cannot open shared object file'
    expect(told.sort()).toEqual([`a failed: ${why}`, `load failed: ${why}`])
    expect(child().isKilled).toBe(true)
  })

  test('`load` succeeds even if the child is slow, and a child that never becomes ready is ended', async () => {
    const loaded = keytar.load()
    read('a')
    clock.advance(2_000)
    expect(await loaded).toBe(keytar)
    expect(child().isKilled).toBe(false)
    clock.advance(START_MS)
    await turn()
    expect(told).toEqual(['a failed: the keychain process did not answer'])
    expect(child().isKilled).toBe(true)
  })

  test('`load` succeeds even if the child is killed as it starts, and the pending call is repeated in another child', async () => {
    const loaded = keytar.load()
    read('a')
    await child().exit()
    expect(await loaded).toBe(keytar)
    expect(children).toHaveLength(2)
    await child().emit({ kind: 'ready' })
    await child().answer('value')
    expect(told).toEqual(['a: value'])
  })

  test('waits longer before each new start if every child ends as it starts', async () => {
    const starts: number[] = []
    for (let second = 0; second <= 200; second += 1) {
      const before = children.length
      read('a')
      while (children.length > before && !child().isKilled) {
        starts.push(second)
        await child().exit()
      }
      await turn()
      clock.advance(1_000)
    }
    expect(starts).toEqual([0, 0, 1, 3, 7, 15, 31, 63, 123, 183])
  })

  test.each([
    ['a value of the wrong type', { kind: 'done', id: 1, value: ['value'] }],
    ['another call’s id', { kind: 'done', id: 99, value: 'value' }],
  ])('SECURITY: a child that answers with %s is ended', async (_, message) => {
    read('a')
    await child().emit({ kind: 'ready' })
    await child().emit(message)
    expect(child(0).isKilled).toBe(true)
  })

  test('`stop` ends the child, even one without a call, and no other child is started', async () => {
    const unused = new HandChild()
    new KeytarProcess({ fork: () => child(), first: unused, clock }).stop()
    expect(unused.isKilled).toBe(true)
    const first = await used()
    read('a')
    keytar.stop()
    read('b')
    await turn()
    expect(first.isKilled).toBe(true)
    expect(told.sort()).toEqual(['a failed: the app is ending', 'b failed: the app is ending'])
    expect(children).toHaveLength(1)
    expect(clock.armed).toBe(0)
  })
})
