import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
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
import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { linuxOnly, posixOnly, rootOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { displaysOf, isSameDisplay, type StartRequest } from './start-request.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const REPLY = { pid: 7, displays: [':0'], isEnding: false }

interface Options {
  readonly at?: string
  readonly machine?: string
  readonly hostname?: string
  readonly isTakenOver?: boolean
  readonly onRequest?: (request: StartRequest) => typeof REPLY
  readonly timeoutMs?: number
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

/** The listener is another process, because `lockInstance` blocks this one. */
async function otherProcess(name: string, reply: unknown): Promise<void> {
  const code = `
    const { file, reply } = require('node:worker_threads').workerData
    require('node:net').createServer((socket) => {
      socket.on('data', () => reply === undefined || socket.end(reply && JSON.stringify(reply)))
    }).listen(file, () => require('node:worker_threads').parentPort.postMessage('listening'))`
  const worker = new Worker(code, { eval: true, workerData: { file: path.join(folder, name), reply } })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'message')
}

/** Leaves a socket at which nobody listens, as after a crash. */
async function crashed(name: string, hostname = 'this-pc'): Promise<void> {
  const file = path.join(folder, name)
  const code = `require('node:net').createServer().listen(${JSON.stringify(file)}, () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
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
  it('the lock is a private socket and a link, and releasing the lock removes both', () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const taken = lock()
    expect(taken.kind).toBe('held')
    const [name = ''] = sockets()
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o700)
    expect(readlinkSync(path.join(folder, 'SingletonLock'))).toBe(`this-pc-${process.pid}`)
    if (taken.kind === 'held') taken.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('a missing folder is created, readable by the user alone', () => {
    const at = path.join(folder, 'a', 'b')
    expect(lock({ at }).kind).toBe('held')
    expect(statSync(at).mode & 0o777).toBe(0o700)
  })

  it('the folder’s path may exceed the limit for socket paths', linuxOnly('only Linux has /proc/self/fd'), () => {
    const at = path.join(folder, 'x'.repeat(200))
    const taken = lock({ at })
    expect(taken.kind).toBe('held')
    expect(sockets(at)).toHaveLength(1)
    if (taken.kind === 'held') taken.release()
    expect(readdirSync(at)).toEqual([])
  })

  it('a second start gets the reply of the process that has the lock', async () => {
    await otherProcess(socketOf('m1'), REPLY)
    expect(lock()).toEqual({ kind: 'running', pid: 7, reply: REPLY })
  })

  it('if the computer was renamed or got a new id, a second start still finds the running process', async () => {
    await otherProcess(socketOf('m0'), REPLY)
    symlinkSync('old-name-7', path.join(folder, 'SingletonLock'))
    expect(lock({ hostname: 'new-name' })).toMatchObject({ kind: 'running', pid: 7 })
  })

  it.each([
    ['a process that doesn’t respond', () => socketOf('m1'), undefined, { pid: 4711 }],
    ['a process that hangs up at each call', () => socketOf('m1'), '', { pid: 4711 }],
    ['a process that is still ending at the deadline', () => socketOf('m1'), { ...REPLY, isEnding: true }, {}],
    ['another program that stays silent', () => 'lock-0000000000000000.sock', undefined, { pid: 4711 }],
  ])('%s keeps the lock', async (_, socket, reply, running) => {
    await otherProcess(socket(), reply)
    symlinkSync('this-pc-4711', path.join(folder, 'SingletonLock'))
    expect(lock({ timeoutMs: 500 })).toMatchObject({ kind: 'running', ...running })
  })

  it('if another program answers at the lock’s socket, the lock is taken over', async () => {
    await otherProcess(socketOf('m1'), 'HTTP/1.1 400 Bad Request')
    expect(lock().kind).toBe('held')
  })

  it('if the running process ends while it is asked, its lock is taken over', async () => {
    const file = path.join(folder, socketOf('m1'))
    const code = `require('node:net').createServer((socket) => socket.on('data', () => process.exit()))
      .listen(${JSON.stringify(file)}, () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect(lock().kind).toBe('held')
  })

  it('if the lock’s socket can’t be reached, a second start assumes at once that a process has the lock', () => {
    const name = socketOf('m1')
    symlinkSync(name, path.join(folder, name))
    const begun = performance.now()
    expect(lock({ timeoutMs: 10_000 })).toEqual({ kind: 'running', pid: undefined })
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it.each(['this-pc', 'its-earlier-name'])(
    'after a crash on this computer, named %s, its lock is taken over without asking the user',
    async (host) => {
      const name = socketOf('m1')
      await crashed(name, host)
      expect(lock().kind).toBe('held')
      expect(sockets()).toEqual([name])
      expect(readlinkSync(path.join(folder, 'SingletonLock'))).toBe(`this-pc-${process.pid}`)
    },
  )

  it.each([
    ['pc-17.lab.example-4711', 'pc-17.lab.example'],
    ['büro-1', 'büro'],
    ['this-pc-4711', undefined],
    ['this-pc-', undefined],
    ['4711', undefined],
    ['nonsense', undefined],
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
    expect(lock({ isTakenOver: true }).kind).toBe('held')
    expect(sockets()).not.toContain(name)
  })

  it('a guard file that a crash has left is removed', () => {
    const guard = path.join(folder, 'lock.new')
    writeFileSync(guard, '')
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    expect(lock().kind).toBe('held')
    expect(existsSync(guard)).toBe(false)
  })

  it('in a read-only folder, locking fails with the system’s error code', linuxOnly('only Linux has /sys'), () => {
    expect(lock({ at: '/sys/kernel' })).toEqual({ kind: 'refused', cause: 'EACCES' })
  })

  it('on a full disk, locking fails with the system’s error code', rootOnly('only root can mount'), () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=2', 'tmpfs', folder])
    try {
      expect(lock()).toEqual({ kind: 'refused', cause: 'ENOSPC' })
    } finally {
      execFileSync('umount', ['-l', folder])
    }
  })

  it('if a file has the folder’s name, locking fails with the system’s error code', () => {
    const at = path.join(folder, 'file')
    writeFileSync(at, '')
    expect(lock({ at })).toEqual({ kind: 'refused', cause: 'EEXIST' })
    expect(lock({ at: path.join(at, 'below') })).toEqual({ kind: 'refused', cause: 'ENOTDIR' })
  })

  it.each([
    ['deletes the socket', (file: string) => rmSync(file)],
    ['replaces the socket by a copy at which nobody listens', (file: string) => replaceSocket(file)],
    ['deletes everything in the folder', () => execFileSync('sh', ['-c', 'rm -f "$0"/*', folder])],
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

  it('the lock can be released when a file has replaced the folder', () => {
    const taken = lock()
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    if (taken.kind === 'held') taken.release()
    expect(statSync(folder).isFile()).toBe(true)
  })

  it.each([
    ['a request', '{"argv":["latchkey","--hidden"],"displays":[":0"]}\n', true],
    ['nonsense', 'GET / HTTP/1.1\r\n\r\n', false],
    ['a request without arguments', '{"displays":[]}\n', false],
    ['null', 'null\n', false],
  ])('the process that has the lock only answers a valid request: %s', async (_, text, isHandled) => {
    const heard: StartRequest[] = []
    const onRequest = (request: StartRequest) => {
      heard.push(request)
      return REPLY
    }
    lock({ onRequest })
    const socket = connect(path.join(folder, sockets()[0] ?? ''))
    socket.write(text)
    const said: string[] = []
    socket.setEncoding('utf8').on('data', (chunk: string) => said.push(chunk))
    await once(socket, 'close')
    expect(said.join('')).toBe(isHandled ? JSON.stringify(REPLY) : '')
    expect(heard).toEqual(isHandled ? [{ argv: ['latchkey', '--hidden'], displays: [':0'] }] : [])
  })

  it('files with a similar name are left alone when the lock is taken', () => {
    mkdirSync(path.join(folder, 'lock-nobody.sock'))
    expect(lock().kind).toBe('held')
    expect(existsSync(path.join(folder, 'lock-nobody.sock'))).toBe(true)
  })
})

it.each([
  [{ DISPLAY: ':0' }, [':0']],
  [{ DISPLAY: ':0.1', WAYLAND_DISPLAY: 'wayland-0' }, [':0', 'wayland-0']],
  [{ DISPLAY: 'localhost:10.0' }, ['localhost:10']],
  [{ DISPLAY: '' }, []],
  [{ DISPLAY: ':0\u001b[2J' }, []],
])('the environment %j names the displays %j', (env, displays) => {
  expect(displaysOf(env, 'linux')).toEqual(displays)
  expect(displaysOf(env, 'darwin')).toEqual([])
})

it.each([
  [[':0'], [':0', 'wayland-0'], true],
  [[':0'], [':1'], false],
  [[':0'], [], true],
])('the displays %j and %j may be the same: %s', (one, other, isSame) => {
  expect(isSameDisplay(one, other)).toBe(isSame)
  expect(isSameDisplay(other, one)).toBe(isSame)
})
