import { beforeEach, expect, it } from 'vitest'
import { Publisher } from './publisher.ts'

let published: number
let publisher: Publisher
beforeEach(() => {
  published = 0
  publisher = new Publisher(() => {
    published += 1
  })
})

/** A turn, and the one that a promise has begun in it. */
async function turn(): Promise<void> {
  for (let count = 0; count < 2; count++) await new Promise((resolve) => setImmediate(resolve))
}

it('publishes once a turn, however often it is asked, and after it', async () => {
  publisher.ask()
  publisher.ask()
  expect(published).toBe(0)
  await turn()
  expect(published).toBe(1)
  publisher.ask()
  await turn()
  expect(published).toBe(2)
})
