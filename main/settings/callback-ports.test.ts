import { beforeEach, expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

let stored: unknown
const set = (value: unknown): void => {
  stored = value
}
const open = (isRunning?: (pid: number) => boolean) => new CallbackPorts({ get: () => stored, set }, isRunning)

beforeEach(() => set(undefined))

test('each callback port is known as Latchkey’s own until its sign-in is over', () => {
  const undo = open().add(4711, process.pid)
  open().add(4712, process.pid)
  expect([open().has(4711), open().has(4712), open().has(4713)]).toEqual([true, true, false])
  undo()
  expect([open().has(4711), open().has(4712)]).toEqual([false, true])
})

test('the callback port of a crashed process isn’t taken for one that Latchkey uses', () => {
  open().add(4711, 99)
  expect(open((pid) => pid !== 99).has(4711)).toBe(false)
})
