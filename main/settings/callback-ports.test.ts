import { expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

test('a crashed process’s callback port doesn’t count as Latchkey’s own', () => {
  let stored: unknown
  const set = (value: unknown): void => {
    stored = value
  }
  const open = (isRunning?: (pid: number) => boolean) => new CallbackPorts({ get: () => stored, set }, isRunning)
  open().add(4711, 99)
  expect(open((pid) => pid !== 99).has(4711)).toBe(false)
})
