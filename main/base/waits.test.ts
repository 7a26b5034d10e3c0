import { getEventListeners } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createInTurn, Tasks, unlessAborted } from './waits.ts'

it('settled work leaves no listener on the signal, and isn’t cancelled', async () => {
  const { signal } = new AbortController()
  const cancel = vi.fn()
  const settled = unlessAborted<number>(signal, (resolve) => {
    setImmediate(() => resolve(1))
    return cancel
  })
  await expect(settled).resolves.toBe(1)
  await expect(unlessAborted(signal, Promise.reject('failed'))).rejects.toBe('failed')
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(cancel).not.toHaveBeenCalled()
})

it('an abort cancels the work, and after an abort no work begins', async () => {
  const closing = new AbortController()
  const cancel = vi.fn()
  const work = vi.fn(() => cancel)
  const settled = unlessAborted(closing.signal, work)
  closing.abort('over')
  await expect(settled).rejects.toBe('over')
  expect(cancel).toHaveBeenCalledOnce()
  await expect(unlessAborted(closing.signal, work)).rejects.toBe('over')
  expect(work).toHaveBeenCalledOnce()
  // A late rejection isn't reported as unhandled.
  await expect(unlessAborted(closing.signal, Promise.reject(new Error('late')))).rejects.toBe('over')
  await new Promise(setImmediate)
})

it('each step begins when the previous step has ended, even if the previous step failed', async () => {
  const inTurn = createInTurn()
  const log: string[] = []
  const first = inTurn(async () => {
    log.push('first')
    await Promise.resolve()
    log.push('fails')
    throw new Error('failed')
  })
  const second = inTurn(async () => log.push('second'))
  await expect(first).rejects.toThrow('failed')
  await second
  expect(log).toEqual(['first', 'fails', 'second'])
})

it('`over` waits for work that begins during the wait, even if other work has failed', async () => {
  const tasks = new Tasks()
  const log: string[] = []
  const work = async (name: string) => {
    await new Promise(setImmediate)
    log.push(name)
  }
  tasks.add(Promise.reject(new Error('refused'))).catch(() => {})
  void tasks.add(work('first').then(() => void tasks.add(work('second'))))
  await tasks.over()
  expect(log).toEqual(['first', 'second'])
})
