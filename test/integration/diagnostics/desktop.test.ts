import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkAgent } from '../../../main/diagnostics/checks/agent.ts'
import type { DiagnosticsPorts } from '../../../main/diagnostics/ports.ts'
import { texts } from '../../support/healthy-desktop.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let home: string
let folder: string
let socket: string
beforeEach(() => {
  home = temporaryFolder()
  folder = join(home, 'run')
  socket = join(folder, 'agent.sock')
  mkdirSync(folder, { mode: 0o700 })
})

const serve = async () => {
  const server = createServer((connection) => connection.destroy())
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  chmodSync(socket, 0o600)
  return server
}
const look = (changed: Partial<DiagnosticsPorts['agent']> = {}) =>
  checkAgent({
    texts,
    agent: { isEnabled: true, location: { kind: 'socket', path: socket }, uid: process.getuid?.(), ...changed },
  })

test('the agent’s socket is ok if only its owner can use it; the modes of the socket and its folder are listed', async () => {
  expect(await look()).toMatchObject({ state: 'warning', sentence: expect.stringContaining('isn’t running at') })
  await serve()
  expect(await look()).toMatchObject({ state: 'ok', details: [`0700 ${folder}`, `0600 ${socket}`] })
  expect(await look({ isEnabled: false })).toMatchObject({ state: 'ok', isOff: true })
  chmodSync(folder, 0o755)
  expect(await look()).toMatchObject({ state: 'warning', sentence: expect.stringContaining('mode 0755') })
})

test('the agent’s socket causes a warning if nothing listens', async () => {
  const server = await serve()
  // The socket is moved away and back, because a server that stops deletes its socket.
  renameSync(socket, `${socket}.aside`)
  server.close()
  renameSync(`${socket}.aside`, socket)
  expect(await look()).toMatchObject({ state: 'warning', details: [`0700 ${folder}`, `0600 ${socket}`] })
})

test.each<readonly [string, string, () => unknown]>([
  ['others can read it', 'mode 0604', () => chmodSync(socket, 0o604)],
  ['others can write to a folder further up', 'mode 0777', () => chmodSync(home, 0o777)],
])('the agent’s socket fails the check if %s', async (_, words, change) => {
  await serve()
  change()
  expect(await look()).toMatchObject({ state: 'failed', sentence: expect.stringContaining(words) })
})

test('the agent’s socket fails the check if it is a link, belongs to another user, or has a path that can’t be used', async () => {
  symlinkSync('/dev/null', socket)
  expect((await look()).sentence).toContain('isn’t a socket')
  rmSync(socket)
  await serve()
  expect((await look({ uid: 4_711 })).sentence).toContain('another user')
  expect((await look({ location: { kind: 'pathTooLong', bytes: 200, path: '/long' } })).state).toBe('failed')
  expect((await look({ location: { kind: 'pathNotAbsolute', path: 'x' } })).state).toBe('failed')
})
