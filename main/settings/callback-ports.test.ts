import { expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

test('a callback port is Latchkey’s own until its sign-in is over or its process has crashed', () => {
  const stored = new Map<string, unknown>()
  const remembered = { get: () => stored.get('ports'), set: (value: unknown) => void stored.set('ports', value) }
  const open = () => new CallbackPorts(remembered, (pid) => pid !== 99)
  const undo = open().add(4711, 1)
  open().add(4712, 1)
  open().add(4713, 99)
  expect([4711, 4712, 4713, 4714].map((port) => open().has(port))).toEqual([true, true, false, false])
  undo()
  expect([open().has(4711), open().has(4712)]).toEqual([false, true])
})
