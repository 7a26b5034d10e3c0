import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkAgent } from '../../../main/diagnostics/checks/agent.ts'
import type { DiagnosticsPorts } from '../../../main/diagnostics/ports.ts'
import { printChecks } from '../../../main/diagnostics/print-checks.ts'
import { texts, wellPorts } from '../../support/healthy-desktop.ts'

describe('the agent’s socket', () => {
  let home: string
  let folder: string
  let socket: string
  let stop = async () => {}
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'lk-'))
    folder = join(home, 'run')
    socket = join(folder, 'agent.sock')
    mkdirSync(folder, { mode: 0o700 })
  })
  afterEach(async () => {
    await stop()
    rmSync(home, { recursive: true })
  })

  const serve = async () => {
    const server = createServer((connection) => connection.destroy())
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    stop = () => new Promise((resolve) => server.close(() => resolve()))
    chmodSync(socket, 0o600)
  }
  const look = (changed: Partial<DiagnosticsPorts['agent']> = {}) =>
    checkAgent({
      texts,
      agent: { isEnabled: true, location: { kind: 'socket', path: socket }, uid: process.getuid?.(), ...changed },
    })

  test('is ok if only its owner can use it; the modes of the socket and its folder are listed', async () => {
    expect(await look()).toMatchObject({ state: 'warning', sentence: expect.stringContaining('isn’t running at') })
    await serve()
    expect(await look()).toMatchObject({ state: 'ok', details: [`0700 ${folder}`, `0600 ${socket}`] })
    expect(await look({ isEnabled: false })).toMatchObject({ state: 'ok', isOff: true })
    chmodSync(folder, 0o755)
    expect(await look()).toMatchObject({ state: 'warning', sentence: expect.stringContaining('mode 0755') })
  })

  test('causes a warning if nothing listens', async () => {
    await serve()
    // The socket is moved away and back, because a server that stops deletes its socket.
    renameSync(socket, `${socket}.aside`)
    await stop()
    renameSync(`${socket}.aside`, socket)
    expect((await look()).state).toBe('warning')
  })

  test.each<readonly [string, string, () => unknown]>([
    ['others can read it', 'mode 0604', () => chmodSync(socket, 0o604)],
    ['others can write to a folder further up', 'mode 0777', () => chmodSync(home, 0o777)],
  ])('fails the check if %s', async (_, words, change) => {
    await serve()
    change()
    expect(await look()).toMatchObject({ state: 'failed', sentence: expect.stringContaining(words) })
  })

  test('fails the check if it is a link, belongs to another user, or has a path that can’t be used', async () => {
    symlinkSync('/dev/null', socket)
    expect((await look()).sentence).toContain('isn’t a socket')
    rmSync(socket)
    await serve()
    expect((await look({ uid: 4_711 })).sentence).toContain('another user')
    expect((await look({ location: { kind: 'pathTooLong', bytes: 200, path: '/long' } })).state).toBe('failed')
    expect((await look({ location: { kind: 'pathNotAbsolute', path: 'x' } })).state).toBe('failed')
  })
})

test('the command ends even if the program that reads its output stops', async () => {
  const { PassThrough } = await import('node:stream')
  const pipe = new PassThrough()
  pipe.on('error', () => {})
  pipe.once('data', () => pipe.destroy())
  expect(await printChecks(wellPorts(), pipe)).toBe(0)
})
