import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { Confirmation, NOT_CONFIRMED } from './confirmation.ts'

const change = { kind: 'addition', added: 'https://b.example.com' } as const
const waiting = (retryAfter: number) => ({ ok: false, failure: { code: 'notConfirmed', retryAfter } })

/** A dialog that is answered by hand. */
function open() {
  const time = { now: 0 }
  const answers: ((isConfirmed: boolean) => void)[] = []
  const confirmation = new Confirmation({
    ask: () => new Promise((resolve) => answers.push(resolve)),
    clock: { now: () => time.now },
  })
  /** Asks, and answers after `ms`. */
  const answered = (isConfirmed: boolean, ms = 3_000) => {
    const outcome = confirmation.confirm(change)
    time.now += ms
    answers.at(-1)?.(isConfirmed)
    return outcome
  }
  return { confirmation, time, answers, answered }
}

it('a change goes through only if the user confirms it', async () => {
  const { answered } = open()
  await expect(answered(true)).resolves.toEqual(OK)
  await expect(answered(false)).resolves.toEqual(NOT_CONFIRMED)
})

it('SECURITY: while the dialog is open, another change is refused and opens none', async () => {
  const { confirmation, time, answers } = open()
  const first = confirmation.confirm(change)
  await expect(confirmation.confirm(change)).resolves.toEqual(NOT_CONFIRMED)
  expect(answers).toHaveLength(1)
  time.now += 3_000
  answers[0]?.(true)
  await expect(first).resolves.toEqual(OK)
})

it('SECURITY: a click that comes before anybody can have read the dialog confirms nothing', async () => {
  const { answered, time } = open()
  await expect(answered(true, 999)).resolves.toEqual(NOT_CONFIRMED)
  time.now += 5_000
  await expect(answered(true, 1_000)).resolves.toEqual(OK)
})

it('SECURITY: after each refusal the next dialog waits longer, up to five minutes', async () => {
  const { confirmation, answered, answers, time } = open()
  for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
    const before = answers.length
    await expect(answered(false)).resolves.toEqual(NOT_CONFIRMED)
    await expect(confirmation.confirm(change)).resolves.toEqual(waiting(seconds))
    time.now += seconds * 1_000 - 1
    await expect(confirmation.confirm(change)).resolves.toEqual(waiting(1))
    expect(answers).toHaveLength(before + 1)
    time.now += 1
  }
  await expect(answered(true)).resolves.toEqual(OK)
  await answered(false)
  await expect(confirmation.confirm(change)).resolves.toEqual(waiting(5))
})

it('a dialog that can’t be shown confirms nothing, and the next one can be', async () => {
  let isBroken = true
  const confirmation = new Confirmation({
    ask: async () => {
      if (isBroken) throw new Error('no display')
      return true
    },
    clock: { now: () => performance.now() },
  })
  await expect(confirmation.confirm(change)).rejects.toThrow('no display')
  isBroken = false
  await expect(confirmation.confirm(change)).resolves.toEqual(NOT_CONFIRMED)
})
