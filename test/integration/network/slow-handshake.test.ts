/**
 * Node tries a host's addresses in turn. An address with a slow handshake must not lose to an address without a route.
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
import { tcpServer, testClient } from '../../support/local-servers.ts'
import { running } from '../../support/running.ts'

const before = getDefaultAutoSelectFamilyAttemptTimeout()
afterEach(() => {
  vi.restoreAllMocks()
  setDefaultAutoSelectFamilyAttemptTimeout(before)
})

/**
 * A program that listens without accepting. While a connection is in its queue, Linux drops the next connection's first
 * packet.
 */
const LISTENER = `
import socket, sys, time
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(0)
print(s.getsockname()[1], flush=True)
sys.stdin.readline()
while True:
    c, _ = s.accept(); c.close()
`

/** Runs a program that prints its port. */
async function listener(code: string) {
  const child = spawn('python3', ['-c', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  return { child, port: Number(String((await once(child.stdout, 'data'))[0])) }
}

async function slowListener() {
  const { child, port } = await listener(LISTENER)
  const fillers: Socket[] = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => fillers.forEach((each) => void each.destroy()))
  await once(fillers[0] as Socket, 'connect')
  return { port, accept: () => child.stdin.write('\n') }
}

/** Resolves every name to these addresses. */
function resolve(...addresses: readonly { readonly address: string; readonly family: 4 | 6 }[]) {
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: (...a: unknown[]) => void) =>
    process.nextTick(done, null, addresses)) as never)
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

test('a service is reached although its handshake takes a second and its other address fails', async () => {
  // Nothing listens at the IPv6 address.
  resolve({ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 })
  network()
  const slow = await slowListener()
  const request = { operation: 'refresh', method: 'POST', url: new URL(`https://data.test:${slow.port}/`) } as const
  const sent = testClient().send(request)
  // Waits until the first packet has been dropped, and only then lets the listener accept.
  await new Promise((resolve) => setTimeout(resolve, 400))
  slow.accept()
  const outcome = await sent
  // The listener speaks no TLS, so the handshake fails. With Node's limit of 250 ms an address, nothing would connect.
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  expect(outcome.ok || outcome.failure.details?.cause).toMatch(/ECONNRESET|EPROTO|socket/i)
})

/** Four addresses that drop every packet, because their queues are full, and a port that is free at 127.0.0.1. */
const DEAD = `
import socket, sys
first = socket.socket(); first.bind(('127.0.0.1', 0)); port = first.getsockname()[1]; first.close()
kept = []
for n in range(2, 6):
    s = socket.socket(); s.bind(('127.0.0.%d' % n, port)); s.listen(0); kept.append(s)
    for _ in range(2):
        c = socket.socket(); c.setblocking(False); c.connect_ex(('127.0.0.%d' % n, port)); kept.append(c)
print(port, flush=True)
sys.stdin.read()
`

test('a service is reached although its first four addresses don’t answer', async () => {
  const { port } = await listener(DEAD)
  const { server } = await running(tcpServer((socket) => socket.destroy(), port))
  resolve(...[2, 3, 4, 5, 1].map((last) => ({ address: `127.0.0.${last}`, family: 4 }) as const))
  network()
  const url = new URL(`https://data.test:${port}/`)
  const reached = once(server, 'connection')
  const outcome = await testClient({ connectTimeout: 10_000 }).send({ operation: 'refresh', method: 'POST', url })
  await reached
  // The server was reached, but it speaks no TLS.
  expect(outcome.ok || outcome.failure.details?.cause).toMatch(/ECONNRESET|EPROTO|socket/i)
}, 20_000)
