import { expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

test('the callback port of a crashed process isn’t taken for one that Latchkey uses', () => {
  let stored: unknown
  const set = (value: unknown): void => {
    stored = value
  }
  const open = (isRunning?: (pid: number) => boolean) => new CallbackPorts({ get: () => stored, set }, isRunning)
  open().add(4711, 99)
  expect(open((pid) => pid !== 99).has(4711)).toBe(false)
})
