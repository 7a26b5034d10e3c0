import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CallbackPorts } from './callback-ports.ts'

test('a callback port is Latchkey’s own until its sign-in is over or its process has crashed', () => {
  const stored = new Map<string, unknown>()
  const open = () => new CallbackPorts({ get: () => stored.get(''), set: (value) => void stored.set('', value) })
  const undo = open().add(4711, process.pid)
  open().add(4712, process.pid)
  open().add(4713, spawnSync(process.execPath, ['-v']).pid)
  expect([4711, 4712, 4713, 4714].map((port) => open().has(port))).toEqual([true, true, false, false])
  undo()
  expect([open().has(4711), open().has(4712)]).toEqual([false, true])
})
