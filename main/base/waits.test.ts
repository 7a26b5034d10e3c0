import { getEventListeners } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createInTurn, Tasks, unlessAborted } from './waits.ts'

it.each<[string, (resolve: (value: number) => void, reject: (error: unknown) => void) => void, unknown]>([
  ['a value', (resolve) => resolve(1), 1],
  ['a later value', (resolve) => void setImmediate(() => resolve(1)), 1],
  ['an error', (_, reject) => reject('failed'), 'failed'],
])('%s settles the work and leaves no listener on the signal', async (_, work, result) => {
  const { signal } = new AbortController()
  const cancel = vi.fn()
  const settled = unlessAborted<number>(signal, (resolve, reject) => {
    work(resolve, reject)
    return cancel
  })
  expect(await settled.catch((error) => error)).toBe(result)
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

it('after an abort, a rejection of the work isn’t reported as unhandled', async () => {
  const over = AbortSignal.abort('over')
  await expect(unlessAborted(over, Promise.reject(new Error('late')))).rejects.toBe('over')
  await new Promise(setImmediate)
})
