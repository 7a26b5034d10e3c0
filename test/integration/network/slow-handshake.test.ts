/**
 * A host with several addresses. Node tries them one after another, and a slow handshake must not lose to an address
 * without a route.
 */
import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import {
  connect,
  getDefaultAutoSelectFamilyAttemptTimeout,
  type Socket,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { createNetwork } from '../../../main/network/network.ts'
import { testClient } from '../../../main/service/testing.ts'

const before = getDefaultAutoSelectFamilyAttemptTimeout()
afterEach(() => {
  vi.restoreAllMocks()
  setDefaultAutoSelectFamilyAttemptTimeout(before)
})

/** Listens without accepting: the queue of one connection is full, so Linux drops the next one's first packet. */
const LISTENER = `
import socket, sys, time
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(0)
print(s.getsockname()[1], flush=True)
sys.stdin.readline()
while True:
    c, _ = s.accept(); c.close()
`

async function slowListener() {
  const child = spawn('python3', ['-c', LISTENER], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  const port = Number(String(line))
  const fillers: Socket[] = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => fillers.forEach((each) => void each.destroy()))
  await once(fillers[0] as Socket, 'connect')
  return { port, accept: () => child.stdin.write('\n') }
}

/** `data.test` has an IPv4 address, whose handshake takes a second, and an IPv6 address where nothing listens. */
function resolveBoth() {
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: (...a: unknown[]) => void) =>
    process.nextTick(done, null, both)) as never)
}

const network = () =>
  createNetwork({
    clock: new DeadlineClock(systemTime),
    env: {},
    platform: 'linux',
    resolveProxy: async () => 'DIRECT',
    credentials: { get: async () => undefined },
    policy: () => ({}),
    readGuarded: () => {
      throw new Error('no file')
    },
    managedHosts: () => [],
  })

test('a service with a handshake of a second is reached, although its other address fails at once', async () => {
  resolveBoth()
  network()
  const slow = await slowListener()
  const request = { operation: 'refresh', method: 'POST', url: new URL(`https://data.test:${slow.port}/`) } as const
  const sent = testClient().send(request)
  // The first packet is dropped before the listener begins to accept.
  await new Promise((resolve) => setTimeout(resolve, 400))
  slow.accept()
  const outcome = await sent
  // The listener speaks no TLS, so the handshake that follows fails. With Node's own 250 ms, no connection is made.
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  expect(outcome.ok || outcome.failure.details?.cause).toMatch(/ECONNRESET|EPROTO|socket/i)
})
