import { beforeEach, describe, expect, it } from 'vitest'
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

describe('held', () => {
  let end: () => void
  beforeEach(() => {
    publisher.hold(
      new Promise<void>((resolve) => {
        end = resolve
      }),
    )
  })

  it('it publishes nothing until then, and then once', async () => {
    publisher.ask()
    await turn()
    expect(published).toBe(0)
    end()
    await turn()
    expect(published).toBe(1)
    publisher.ask()
    await turn()
    expect(published).toBe(2)
  })

  it('it publishes at once when it is released, and not again at the end', async () => {
    publisher.release()
    await turn()
    expect(published).toBe(1)
    end()
    await turn()
    expect(published).toBe(1)
  })
})
