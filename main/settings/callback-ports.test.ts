import { beforeEach, expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

let stored: unknown
const set = (value: unknown): void => {
  stored = value
}
const open = (isRunning?: (pid: number) => boolean) => new CallbackPorts({ get: () => stored, set }, isRunning)

beforeEach(() => set(undefined))

test('a callback port counts as Latchkey’s own until its sign-in is over', () => {
  const undo = open().add(4711, process.pid)
  const undoOther = open().add(4712, process.pid)
  expect([open().has(4711), open().has(4712), open().has(4713)]).toEqual([true, true, false])
  undo()
  expect([open().has(4711), open().has(4712)]).toEqual([false, true])
  undoOther()
  expect(stored).toEqual({})
})

test('a crashed process’s callback port doesn’t count as Latchkey’s own', () => {
  open().add(4711, 99)
  expect(open((pid) => pid !== 99).has(4711)).toBe(false)
})
