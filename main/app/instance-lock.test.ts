import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { posixOnly, rootOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { displaysOf, isSameDisplay, type StartRequest } from './start-request.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const REPLY = { pid: 7, displays: [':0'], isEnding: false }

type Options = Partial<{ at: string; machine: string; hostname: string; isTakenOver: boolean; timeoutMs: number }> & {
  readonly onRequest?: (request: StartRequest) => typeof REPLY
}

function lock({ at = folder, machine = 'm1', hostname = 'this-pc', isTakenOver = false, ...options }: Options = {}) {
  const { onRequest = () => REPLY, timeoutMs = 20_000 } = options
  const instance = { folder: at, machine, hostname, pid: process.pid, platform: process.platform }
  const request = { argv: ['latchkey'], displays: [':1'] }
  const taken: InstanceLock = lockInstance(instance, { request, onRequest, isTakenOver, timeoutMs })
  if (taken.kind === 'held') onTestFinished(taken.release)
  return taken
}

const sockets = (at = folder) => readdirSync(at).filter((name) => /^lock-.*\.sock$/.test(name))
const socketOf = (machine: string): string => {
  const taken = lock({ machine })
  const [name = ''] = sockets()
  if (taken.kind === 'held') taken.release()
  return name
}

/** Listens in another process, because `lockInstance` blocks this one. `onData` is code, which can use `socket`. */
async function listenElsewhere(name: string, onData: string): Promise<ChildProcess> {
  const file = JSON.stringify(path.join(folder, name))
  const code = `require('node:net').createServer((socket) => socket.on('data', () => ${onData}))
    .listen(${file}, () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
const otherProcess = (name: string, reply: unknown) =>
  listenElsewhere(name, reply === undefined ? '{}' : `socket.end(${JSON.stringify(JSON.stringify(reply))})`)

async function crashed(name: string, hostname: string): Promise<void> {
  const child = await listenElsewhere(name, '{}')
  child.kill('SIGKILL')
  await once(child, 'exit')
  symlinkSync(`${hostname}-${child.pid}`, path.join(folder, 'SingletonLock'))
}

function replaceSocket(file: string): void {
  const other = createServer().listen(`${file}.copy`)
  renameSync(`${file}.copy`, file)
  other.close()
}

async function putFileInPlace(): Promise<void> {
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  // The lock notices the change at once, and then tries every second to restore its socket.
  await sleep(1_500)
  rmSync(folder)
}

const isHeard = async (file: string): Promise<boolean> => {
  const socket = connect(file)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe('on POSIX systems', posixOnly('Windows locks the folder itself'), () => {
  it('the lock is a private socket and a link in a private folder, and releasing the lock removes both', () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    // Only Linux has a short address for a socket whose path exceeds the limit.
    const at = path.join(folder, (process.platform === 'linux' ? 'x' : '').repeat(200), 'missing')
    const taken = lock({ at })
    expect(taken.kind).toBe('held')
    const [name = ''] = sockets(at)
    expect(statSync(at).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(at, name)).mode & 0o777).toBe(0o700)
    expect(readlinkSync(path.join(at, 'SingletonLock'))).toBe(`this-pc-${process.pid}`)
    if (taken.kind === 'held') taken.release()
    expect(readdirSync(at)).toEqual([])
  })

  it('a second start gets the running process’s reply, even if the computer has got a new name and a new id', async () => {
    await otherProcess(socketOf('m0'), REPLY)
    symlinkSync('old-name-7', path.join(folder, 'SingletonLock'))
    expect(lock({ hostname: 'new-name' })).toEqual({ kind: 'running', pid: 7, reply: REPLY })
  })

  it.each([
    ['a process that doesn’t respond', () => socketOf('m1'), undefined, { pid: 4711 }],
    [
      'a process that is still ending at the deadline',
      () => socketOf('m1'),
      { ...REPLY, isEnding: true },
      { reply: { isEnding: true } },
    ],
  ])('%s keeps the lock', async (_, socket, reply, running) => {
    await otherProcess(socket(), reply)
    symlinkSync('this-pc-4711', path.join(folder, 'SingletonLock'))
    // On a busy computer, the other process may need longer for its reply.
    let tries = 0
    const ask = () => lock({ timeoutMs: 500 * 2 ** tries++ })
    await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ kind: 'running', ...running })
  })

  it('the lock is taken over if another program answers at its socket, or if the running process ends while it is asked', async () => {
    const name = socketOf('m1')
    await otherProcess(name, 'HTTP/1.1 400 Bad Request')
    const taken = lock()
    expect(taken.kind).toBe('held')
    if (taken.kind === 'held') taken.release()
    await listenElsewhere(name, 'process.exit()')
    expect(lock().kind).toBe('held')
  })

  it('if the lock’s socket can’t be reached, a second start assumes at once that a process has the lock', () => {
    const name = socketOf('m1')
    symlinkSync(name, path.join(folder, name))
    expect(lock()).toEqual({ kind: 'running', pid: undefined })
  })

  it('after a crash on this computer, even under an earlier name, the lock is taken over without asking the user', async () => {
    const name = socketOf('m1')
    await crashed(name, 'its-earlier-name')
    expect(lock().kind).toBe('held')
    expect(sockets()).toEqual([name])
    expect(readlinkSync(path.join(folder, 'SingletonLock'))).toBe(`this-pc-${process.pid}`)
  })

  it.each([
    ['pc-17.lab.example-4711', 'pc-17.lab.example'],
    ['this-pc-4711', undefined],
    ['a sentence for the dialog-1', undefined],
    ['\u202Egnihton-1', undefined],
    [`${'a'.repeat(256)}-1`, undefined],
  ])('the other host that a link to $0 names is $1', (target, host) => {
    symlinkSync(target, path.join(folder, 'SingletonLock'))
    expect(lock()).toMatchObject(host === undefined ? { kind: 'held' } : { kind: 'onOtherComputer', host })
  })

  it('another computer’s lock is only replaced if the user confirms it', async () => {
    const name = socketOf('m2')
    await crashed(name, 'other-pc')
    expect(lock()).toEqual({ kind: 'onOtherComputer', host: 'other-pc' })
    expect(sockets()).toEqual([name])
    writeFileSync(path.join(folder, 'lock-other.sock'), '')
    expect(lock({ isTakenOver: true }).kind).toBe('held')
    expect(sockets()).not.toContain(name)
    expect(sockets()).toContain('lock-other.sock')
  })

  it('a lock that another process takes after it was found free isn’t taken from that process', () => {
    const name = socketOf('m1')
    symlinkSync('this-pc-4711', path.join(folder, 'SingletonLock'))
    let other: InstanceLock | undefined
    const instance = {
      folder,
      machine: 'm1',
      pid: process.pid,
      platform: process.platform,
      /** `lockInstance` reads the name after it has asked at each socket, and before it takes the lock. */
      get hostname() {
        other ??= lock()
        return 'this-pc'
      },
    }
    const request = { argv: [], displays: [] }
    expect(lockInstance(instance, { request, onRequest: () => REPLY, timeoutMs: 500 }).kind).toBe('running')
    expect([other?.kind, sockets()]).toEqual(['held', [name]])
  })

  it('a guard file is respected for a few seconds, and then removed, because a crash has left it', () => {
    const guard = path.join(folder, 'lock.new')
    writeFileSync(guard, '')
    const made = Date.now()
    const time = vi
      .spyOn(Date, 'now')
      .mockReturnValueOnce(made + 4_000)
      .mockReturnValue(made + 60_000)
    onTestFinished(() => void time.mockRestore())
    expect(lock().kind).toBe('held')
    expect(time).toHaveBeenCalledTimes(2)
    expect(existsSync(guard)).toBe(false)
  })

  it('in a folder that can’t be used, locking fails with the system’s error code', () => {
    const at = path.join(folder, 'file')
    writeFileSync(at, '')
    expect(lock({ at })).toEqual({ kind: 'refused', cause: 'EEXIST' })
    if (process.platform === 'linux') expect(lock({ at: '/sys/kernel' })).toEqual({ kind: 'refused', cause: 'EACCES' })
  })

  it('on a full disk, locking fails with the system’s error code', rootOnly('only root can mount'), () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=2', 'tmpfs', folder])
    onTestFinished(() => void execFileSync('umount', ['-l', folder]))
    expect(lock()).toEqual({ kind: 'refused', cause: 'ENOSPC' })
  })

  it.each([
    ['replaces the socket by a copy at which nobody listens', (file: string) => replaceSocket(file)],
    ['deletes the folder', () => rmSync(folder, { recursive: true })],
    ['puts a file in the folder’s place for a while', () => putFileInPlace()],
  ])('if somebody %s, the lock is restored', async (_, remove) => {
    lock()
    const file = path.join(folder, sockets()[0] ?? '')
    for (const _ of [1, 2]) {
      await remove(file)
      await expect.poll(() => isHeard(file)).toBe(true)
    }
  })

  it.each([
    ['{"argv":["latchkey","--hidden"],"displays":[":0"]}\n', true],
    ['GET / HTTP/1.1\r\n\r\n', false],
    ['{"displays":[]}\n', false],
  ])('the process that has the lock only answers a valid request: %s', async (text, isHandled) => {
    const onRequest = vi.fn((_: StartRequest) => REPLY)
    lock({ onRequest })
    const socket = connect(path.join(folder, sockets()[0] ?? ''))
    socket.write(text)
    const said: string[] = []
    socket.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk))
    await once(socket, 'close')
    expect(said.join('')).toBe(isHandled ? JSON.stringify(REPLY) : '')
    expect(onRequest.mock.calls).toEqual(isHandled ? [[{ argv: ['latchkey', '--hidden'], displays: [':0'] }]] : [])
  })
})

it('two starts may be on the same display if one names none or both name a display of the same server', () => {
  expect(displaysOf({ DISPLAY: ':0.1', WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toEqual([':0', 'wayland-0'])
  expect(displaysOf({ DISPLAY: ':0\u001b[2J' }, 'linux')).toEqual([])
  expect(displaysOf({ DISPLAY: ':0' }, 'darwin')).toEqual([])
  expect(isSameDisplay([':0'], [':0', 'wayland-0'])).toBe(true)
  expect(isSameDisplay([':0'], [':1'])).toBe(false)
  expect([isSameDisplay([':0'], []), isSameDisplay([], [':0'])]).toEqual([true, true])
})
