import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { run } from '../../test/keyring/programs.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { SecretService } from '../keychain/secret-service.ts'
import { findSessionBus } from './session-bus.ts'

let keyring: Keyring
let folder: string
beforeAll(async () => {
  keyring = await startKeyring()
  await keyring.put('https://data.example.com/', 'a value')
})
afterAll(() => keyring.stop())
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-bus-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const socket = () => path.join(keyring.env.XDG_RUNTIME_DIR, 'bus')

function linked(name: string): string {
  const link = path.join(folder, name)
  mkdirSync(path.dirname(link), { recursive: true })
  symlinkSync(socket(), link)
  return link
}

async function expectFound(variables: Readonly<Record<string, string>>): Promise<void> {
  const busAddress = findSessionBus({ HOME: folder, ...variables })
  expect(await new SecretService({ clock: new ManualClock(), busAddress }).ask()).toEqual({ kind: 'unlocked' })
  const lookup = ['lookup', 'service', 'Latchkey', 'account', 'https://data.example.com/']
  const ran = await run('secret-tool', lookup, { env: { ...keyring.env, DBUS_SESSION_BUS_ADDRESS: busAddress } })
  expect(ran).toMatchObject({ code: 0, stdout: 'a value' })
}

it('finds the bus in an XDG_RUNTIME_DIR with separators in its name, and skips an address where no bus listens', async () => {
  await expectFound({ XDG_RUNTIME_DIR: path.dirname(linked('my run: a,b;c/bus')) })
  await expectFound({ DBUS_SESSION_BUS_ADDRESS: `unix:path=/nope;unix:path=${socket()}` })
})

it('finds a bus at an abstract socket', async () => {
  const name = `latchkey-test-${process.pid}`
  const relay = createServer((from) => from.pipe(connect(socket())).pipe(from)).listen(`\0${name}`)
  onTestFinished(() => void relay.close())
  const secretService = new SecretService({ clock: new ManualClock(), busAddress: `unix:abstract=${name}` })
  expect(await secretService.ask()).toEqual({ kind: 'unlocked' })
})

it('with `autolaunch:`, finds the bus that dbus-launch has started', async () => {
  const id = /^(\S+)/.exec((await run('cat', ['/etc/machine-id', '/var/lib/dbus/machine-id'], { env: {} })).stdout)?.[1]
  mkdirSync(path.join(folder, '.dbus/session-bus'), { recursive: true })
  writeFileSync(
    path.join(folder, '.dbus/session-bus', `${id}-7`),
    `# dbus-launch\nDBUS_SESSION_BUS_ADDRESS='unix:path=${socket()}'\nDBUS_SESSION_BUS_PID=1\n`,
  )
  await expectFound({ DBUS_SESSION_BUS_ADDRESS: 'autolaunch:', DISPLAY: ':7.0' })
})

it('SECURITY: a bus in XDG_RUNTIME_DIR that belongs to another user is not used', () => {
  const { XDG_RUNTIME_DIR } = keyring.env
  expect(findSessionBus({ XDG_RUNTIME_DIR }, (process.getuid?.() ?? 0) + 1)).toBe('disabled:')
})

/** The code of a server that prints its address and never answers a call. An argument is its answer to a sign-in. */
const HALF_DEAF = `
import socket, sys
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
print('tcp:host=127.0.0.1,port=%d' % s.getsockname()[1], end='', flush=True)
kept = []
while True:
    c, _ = s.accept(); kept.append(c); c.recv(999)
    if sys.argv[1] == 'accepts the sign-in': c.send(b'OK 0123456789abcdef0123456789abcdef\\r\\n')
    if sys.argv[1] == 'refuses the sign-in': c.send(b'REJECTED ANONYMOUS\\r\\n')
`

it.each([
  ['accepts the sign-in', true],
  ['is silent', true],
  ['refuses the sign-in', false],
])('Electron avoids a bus over TCP that %s and never answers a call: %s', async (does, isUnresponsive) => {
  vi.resetModules()
  const fresh = await import('./session-bus.ts')
  const child = spawn('python3', ['-c', HALF_DEAF, does], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [address] = await once(child.stdout, 'data')
  const env = { DBUS_SESSION_BUS_ADDRESS: String(address) }
  expect(fresh.avoidUnresponsiveBus(env, isUnresponsive ? 500 : 30_000)).toBe(isUnresponsive)
})

it.each<[boolean, (deaf: string, bus: string) => string]>([
  [true, (deaf) => deaf],
  [true, (deaf, bus) => `unix:path=/nope;${deaf};${bus}`],
  [false, (deaf, bus) => `unix:path=/nope;${bus};${deaf}`],
  [false, () => 'unix:path=/nope'],
])(
  'if the first reachable bus is silent (%s), Electron doesn’t use it, but Latchkey does',
  async (isUnresponsive, list) => {
    vi.resetModules()
    const fresh = await import('./session-bus.ts')
    // `avoidUnresponsiveBus` blocks this process, so this server accepts no connection and never answers.
    const server = createServer().listen(path.join(folder, 'deaf'))
    onTestFinished(() => void server.close())
    const address = list(`unix:path=${path.join(folder, 'deaf')}`, `unix:path=${socket()}`)
    const env = { DBUS_SESSION_BUS_ADDRESS: address }
    expect(fresh.avoidUnresponsiveBus(env, isUnresponsive ? 200 : 30_000)).toBe(isUnresponsive)
    expect(env.DBUS_SESSION_BUS_ADDRESS).toBe(isUnresponsive ? 'disabled:' : address)
    expect(fresh.findSessionBus(env)).toBe(address)
  },
)
