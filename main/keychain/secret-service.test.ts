import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { posixOnly } from '../../test/support/systems.ts'
import { SecretService } from './secret-service.ts'

let folder: string
let server: Server

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bus-'))
  server = createServer()
})

afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

test(
  'a bus that accepts a connection but never answers is disconnected after the timeout',
  posixOnly('it has no D-Bus'),
  async () => {
    const path = join(folder, 'bus')
    server.listen(path)
    await once(server, 'listening')
    const clock = new ManualClock()
    const asking = new SecretService({ clock, timeoutMs: 2_000, busAddress: `unix:path=${path}` }).ask()
    const [socket]: [Socket] = (await once(server, 'connection')) as [Socket]
    const hungUp = once(socket.resume(), 'end')
    clock.advance(2_000)
    expect(await asking).toMatchObject({ kind: 'unavailable' })
    await hungUp
    expect(clock.armed).toBe(0)
  },
)

test.each(['unix:path=/nowhere/bus', 'nonsense', 'tcp:host=127.0.0.1', ''])(
  'the Secret Service is absent if the bus address is "%s"',
  async (at) => {
    const before = { ...process.env }
    for (const name of ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY']) delete process.env[name]
    try {
      expect(await new SecretService({ clock: new ManualClock(), busAddress: at }).ask()).toMatchObject({
        kind: 'absent',
      })
    } finally {
      Object.assign(process.env, before)
    }
  },
)
