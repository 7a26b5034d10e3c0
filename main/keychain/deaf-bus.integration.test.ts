/**
 * If the bus doesn't answer, Latchkey can't know whether there is a keychain, so it must not report the keychain as
 * absent.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { openSecretStore } from './open.ts'
import { SecretService } from './secret-service.ts'

/** A bus over TCP that records what it gets. */
async function tcpBus(hear: (from: Socket, text: string) => void): Promise<{ address: string; heard: () => string }> {
  let heard = ''
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    sockets.add(from.on('error', () => {}).setEncoding('latin1'))
    from.on('data', (text: string) => {
      heard += text
      hear(from, text)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const each of sockets) each.destroy()
    server.close()
  })
  return { address: `tcp:host=127.0.0.1,port=${(server.address() as AddressInfo).port}`, heard: () => heard }
}

/** Opens the keychain. Once `isAsked` returns true, advances the clock to the timeout. */
async function openOver(busAddress: string, isAsked: () => boolean) {
  const clock = new ManualClock()
  const secretService = new SecretService({ clock, busAddress })
  const opening = openSecretStore({
    platform: 'linux',
    hostname: 'PC-17',
    clock,
    askSecretService: () => secretService.ask(),
    loadKeytar: async () => ({
      getPassword: async () => null,
      setPassword: async () => {},
      deletePassword: async () => false,
    }),
  })
  await expect.poll(isAsked).toBe(true)
  clock.advance(2_000)
  return opening
}

const UNAVAILABLE = { state: { kind: 'unavailable' }, store: { persistence: 'keychain' } }

test('the keychain is unavailable, not absent, if a TCP server never answers', async () => {
  const { address, heard } = await tcpBus(() => {})
  expect(await openOver(address, () => heard().includes('AUTH'))).toMatchObject(UNAVAILABLE)
})

test('the keychain is unavailable, not absent, if a bus authenticates but never answers Hello', async () => {
  const { address, heard } = await tcpBus(
    (from, text) => text.includes('AUTH') && from.write(`OK ${'0'.repeat(32)}\r\n`),
  )
  expect(await openOver(address, () => heard().includes('Hello'))).toMatchObject(UNAVAILABLE)
})

test('the keychain is unavailable while the bus doesn’t answer, and unlocked once it does', async () => {
  const { env, pids, stop } = await startKeyring()
  const [bus = 0] = pids
  onTestFinished(async () => {
    process.kill(bus, 'SIGCONT')
    await stop()
  })
  const clock = new ManualClock()
  const secretService = new SecretService({ clock, busAddress: env.DBUS_SESSION_BUS_ADDRESS })
  expect(await secretService.ask()).toEqual({ kind: 'unlocked' })
  process.kill(bus, 'SIGSTOP')
  const asking = secretService.ask()
  clock.advance(2_000)
  expect(await asking).toMatchObject({ kind: 'unavailable' })
  process.kill(bus, 'SIGCONT')
  expect(await secretService.ask()).toEqual({ kind: 'unlocked' })
})
