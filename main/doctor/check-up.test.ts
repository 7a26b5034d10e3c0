import { expect, test } from 'vitest'
import { enDoctor } from '../../text/en-doctor.ts'
import { CheckUp } from './check-up.ts'
import type { Line } from './line.ts'

const LINES: readonly Line[] = [
  { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3' },
  { check: 'keychain', state: 'failed', sentence: 'It is gone.', advice: 'Look for it.', details: ['nowhere'] },
]

function world(lines: () => AsyncIterable<Line>) {
  const seen: string[] = []
  let begun = 0
  const checkUp: CheckUp = new CheckUp({
    examine: async () => {
      begun++
      return { lines: lines(), texts: enDoctor }
    },
    onChange: () => seen.push(`${checkUp.view?.running} ${checkUp.view?.lines.map(({ name }) => name).join()}`),
  })
  return { checkUp, seen, begun: () => begun }
}
const all = async function* () {
  yield* LINES
}

test('each line is shown as it comes, and the whole stays', async () => {
  const { checkUp, seen } = world(all)
  expect(checkUp.view).toBeUndefined()
  expect(await checkUp.run()).toEqual(LINES)
  expect(seen).toEqual(['true ', 'true versions', 'true versions,keychain', 'false versions,keychain'])
  expect(checkUp.view?.lines[1]).toEqual({
    name: 'keychain',
    state: 'failed',
    sentence: 'It is gone.',
    advice: 'Look for it.',
    details: ['nowhere'],
  })
})

test('whoever asks while one is under way gets that one', async () => {
  const { checkUp, begun } = world(all)
  const [one, other] = await Promise.all([checkUp.run(), checkUp.run()])
  expect(one).toBe(other)
  expect(begun()).toBe(1)
  await checkUp.check()
  expect(begun()).toBe(2)
})

test('the next window sees nothing of it, unless it is under way', async () => {
  const { checkUp } = world(all)
  const running = checkUp.run()
  checkUp.forget()
  expect(checkUp.view).toBeDefined()
  await running
  checkUp.forget()
  expect(checkUp.view).toBeUndefined()
})

test('one that breaks is over, and the next one begins anew', async () => {
  const { checkUp } = world(async function* () {
    yield LINES[0] as Line
    throw new Error('a bug')
  })
  await expect(checkUp.run()).rejects.toThrow('a bug')
  expect(checkUp.view?.running).toBe(false)
  await expect(checkUp.run()).rejects.toThrow('a bug')
})
