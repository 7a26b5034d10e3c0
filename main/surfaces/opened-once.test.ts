import { expect, it } from 'vitest'
import { openedOnce } from './opened-once.ts'

it('opens once, whoever asks, and anew after it has failed', async () => {
  const outcomes = [false, true, true]
  let times = 0
  const open = openedOnce(async () => {
    times += 1
    if (!outcomes.shift()) throw new Error('not now')
    return times
  })
  const both = await Promise.allSettled([open(), open()])
  expect([both.map(({ status }) => status), times]).toEqual([['rejected', 'rejected'], 1])
  expect([await open(), await open(), times]).toEqual([2, 2, 2])
})
