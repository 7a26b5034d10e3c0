import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type LookupFunction } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { listenAtSocket } from '../../main/agent/socket-file.ts'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { password } from '../../main/base/secret.ts'
import { createRouteFor } from '../../main/network/routes.ts'
import { readTlsFiles } from '../../main/network/tls-files.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { readGuarded } from '../../main/settings/guarded-file.ts'
import { readPolicy } from '../../main/settings/policy.ts'
import {
  LATCHKEY,
  newFolder,
  PATH,
  type Run,
  requireProgram,
  run,
  SHELLS,
  type Shell,
} from '../integration/cli/programs.ts'
import { argumentsOf, install } from '../support/app.ts'
import { testClient } from '../support/local-servers.ts'
import { NO_DISPLAY, pressInDialog } from '../support/native-dialog.ts'
import { asOrdinaryUser, ordinaryFolder, ordinaryUser, own } from '../support/ordinary-user.ts'
import { coreDumpFilterOf, isUndumpable, processTree, typeOf } from '../support/processes.ts'
import { systemVariables } from '../support/system.ts'
import { ANOTHER_USER, rootOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const LOCALHOST = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]
const PROXY_CHALLENGE =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
const JSON_TYPE = { 'content-type': 'application/json' }

const SOCKET = 'latchkey/agent.sock'
const COMMANDS = [['token'], ['header'], ['rejected'], ['status'], ['status', '--json'], ['exec', 'true'], ['socket']]

function temporaryFolder(): string {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  return folder
}

/** Listens at this socket as the current user, and counts the connections. */
async function serve(socket: string, answer = ''): Promise<{ readonly connections: () => number }> {
  let connections = 0
  const server = createSocketServer((connection) => {
    connections++
    connection.on('error', () => {})
    connection.once('data', () => connection.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  return { connections: () => connections }
}

/** Runs the command as the tests' ordinary user, who isn't the current user. */
async function asAna(shell: Shell, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  const home = ordinaryFolder('home')
  onTestFinished(() => home.remove())
  // The script is a copy, because perhaps only root can read the checkout.
  const script = path.join(home.path, 'latchkey')
  copyFileSync(LATCHKEY, script)
  const sh = asOrdinaryUser(requireProgram(shell.words[0]), home.path)
  const given = { env: { PATH, HOME: home.path, ...env }, input: 'an-old-token\n', cwd: home.path }
  return run([sh, ...shell.words.slice(1), script, ...args], given)
}

const FLIP = `
  const { renameSync, symlinkSync } = require('node:fs')
  const targets = process.argv.slice(1)
  let flips = 0
  const flip = () => {
    for (let times = 0; times < 100; times++) {
      symlinkSync(targets[flips++ % 2], 'next')
      renameSync('next', 'link')
    }
    setImmediate(flip)
  }
  process.stdin.on('end', () => process.stdout.write(String(flips), () => process.exit())).resume()
  flip()
  process.stderr.write('flipping')
`

/** Another user keeps switching `link` between two targets. `end` resolves to the number of switches. */
async function startFlipper(folder: string, targets: readonly [string, string]) {
  const flipper = spawn(process.execPath, ['-e', FLIP, ...targets], { cwd: folder, ...ordinaryUser() })
  onTestFinished(() => void flipper.kill('SIGKILL'))
  await once(flipper.stderr, 'data')
  const end = async () => {
    flipper.stdin.end()
    return Number(await text(flipper.stdout))
  }
  return { end }
}

const readOnLinux = (file: string) => readGuarded(file, 'linux')

describe('Another user of the same computer', () => {
  describe('SECURITY: the app refuses a socket if another user can write to any folder above it', () => {
    const start = async (socket: string) =>
      listenAtSocket(createSocketServer(), { path: socket, uid: process.getuid?.() ?? 0 })

    test.each([1, 2, 5])('a folder %i levels above the socket’s folder', async (depth) => {
      const top = temporaryFolder()
      const below = path.join(top, ...Array.from({ length: depth - 1 }, () => 'own'))
      mkdirSync(below, { recursive: true, mode: 0o700 })
      chmodSync(top, 0o777)
      await expect(start(path.join(below, SOCKET))).resolves.toEqual({ kind: 'folderUnsafe', path: top })
      expect(readdirSync(below)).toEqual([])
    })

    test('a folder above the target of a link', async () => {
      const [top, open] = [temporaryFolder(), temporaryFolder()]
      mkdirSync(path.join(open, 'latchkey'), { mode: 0o700 })
      chmodSync(open, 0o777)
      symlinkSync(path.join(open, 'latchkey'), path.join(top, 'latchkey'))
      await expect(start(path.join(top, SOCKET))).resolves.toEqual({ kind: 'folderUnsafe', path: open })
    })

    test('a folder that belongs to another user', rootOnly(ANOTHER_USER), async () => {
      const top = temporaryFolder()
      const { uid, gid } = ordinaryUser() ?? { uid: 0, gid: 0 }
      mkdirSync(path.join(top, 'own'), { mode: 0o700 })
      chownSync(top, uid, gid)
      await expect(start(path.join(top, 'own', SOCKET))).resolves.toEqual({ kind: 'folderUnsafe', path: top })
    })
  })

  describe('SECURITY: the command sends nothing to a socket that isn’t the user’s own', rootOnly(ANOTHER_USER), () => {
    describe.each(SHELLS)('in $name', (shell) => {
      const refused = async (env: Readonly<Record<string, string>>) => {
        for (const args of COMMANDS) {
          const { code, stdout, stderr } = await asAna(shell, args, env)
          expect({ args, code, stdout }).toEqual({ args, code: args[0] === 'exec' ? 125 : 7, stdout: '' })
          expect(stderr).toMatch(/^latchkey: .*belongs to another user.*\n$/)
        }
      }

      test('another user’s socket that LATCHKEY_SOCKET names', async () => {
        const top = temporaryFolder()
        chmodSync(top, 0o777)
        const socket = path.join(top, 'agent.sock')
        const { connections } = await serve(socket, 'HTTP/1.0 200 OK\r\n\r\na-stranger-s-token')
        chmodSync(socket, 0o777)
        await refused({ LATCHKEY_SOCKET: socket })
        expect(connections()).toBe(0)
      })

      test('a socket in another user’s folder, in a runtime folder that everyone can write to', async () => {
        const runtime = ordinaryFolder('run')
        onTestFinished(() => runtime.remove())
        chmodSync(runtime.path, 0o777)
        mkdirSync(path.join(runtime.path, 'latchkey'))
        const { connections } = await serve(path.join(runtime.path, SOCKET))
        chmodSync(path.join(runtime.path, SOCKET), 0o777)
        await refused({ XDG_RUNTIME_DIR: runtime.path })
        expect(connections()).toBe(0)
      })

      test('SECURITY: the command refuses the user’s own socket in another user’s folder', async () => {
        const top = temporaryFolder()
        chmodSync(top, 0o755)
        const socket = path.join(top, 'agent.sock')
        const { connections } = await serve(socket)
        chownSync(socket, ordinaryUser()?.uid ?? 0, ordinaryUser()?.gid ?? 0)
        await refused({ LATCHKEY_SOCKET: socket })
        expect(connections()).toBe(0)
      })
    })
  })

  test.each(SHELLS)(
    'SECURITY: the command uses the socket that it checked, even if the socket’s folder is then replaced: $name',
    async (shell) => {
      const top = temporaryFolder()
      const [own, theirs] = [path.join(top, 'own'), path.join(top, 'theirs')]
      for (const folder of [own, theirs]) mkdirSync(folder)
      const token = (text: string) => `HTTP/1.0 200 OK\r\n\r\n${text}`
      await serve(path.join(own, 'agent.sock'), token('own'))
      const { connections } = await serve(path.join(theirs, 'agent.sock'), token('theirs'))
      // This runs between the command's check and curl's connection.
      const swap = `mv '${own}' '${own}.aside' && mv '${theirs}' '${own}'`
      writeFileSync(path.join(top, 'curl'), `#!/bin/sh\n${swap}\nexec ${requireProgram('curl')} "$@"\n`, {
        mode: 0o755,
      })
      const env = { PATH: `${top}:${PATH}`, LATCHKEY_SOCKET: path.join(own, 'agent.sock') }
      const answer = await run([requireProgram(shell.words[0]), ...shell.words.slice(1), LATCHKEY, 'token'], { env })
      expect(answer).toMatchObject({ code: 0, stdout: 'own\n' })
      expect(connections()).toBe(0)
    },
  )

  describe('SECURITY: the command prints no control characters from a socket’s answer', () => {
    /** Escape sequences in both forms (U+009B is the C1 form), and other control characters. */
    const EVIL = ['\x1b]0;owned\x07\x1b[2J', '\u009b2J', 'a\rb', '\b\b\b', '\x7f']
    const STATUSES = ['200 OK', '401 Unauthorized']

    test.each(SHELLS)('in $name', async (shell) => {
      for (const evil of EVIL) {
        for (const status of STATUSES) {
          const socket = path.join(temporaryFolder(), 'agent.sock')
          await serve(socket, `HTTP/1.0 ${status}\r\n\r\nSign in${evil}again`)
          for (const LC_ALL of ['C', 'C.UTF-8']) {
            const env = { PATH, LC_ALL, LATCHKEY_SOCKET: socket }
            const words = [requireProgram(shell.words[0]), ...shell.words.slice(1), LATCHKEY]
            const runs = COMMANDS.filter(([name]) => name !== 'socket').map((args) =>
              run([...words, ...args], { env, input: 'an-old-token\n' }),
            )
            for (const { code, stdout, stderr } of await Promise.all(runs)) {
              expect(code).not.toBe(0)
              expect(stdout).toBe('')
              expect(stderr).toMatch(/^latchkey: [^\p{Cc}]+\n$/u)
            }
          }
        }
      }
    })
  })

  test('SECURITY: for a service at localhost, the app connects to 127.0.0.1, and sends nothing to [::1]', async () => {
    const received: (string | undefined)[] = []
    const stranger = createServer(({ headers }, response) => {
      received.push(headers.authorization)
      response.end()
    })
    await once(stranger.listen(0, '::1'), 'listening')
    onTestFinished(() => void stranger.close())
    const { port } = stranger.address() as AddressInfo
    const signIn = async () => {
      // [::1] comes first here, as on most machines.
      const resolver = vi.spyOn(dns, 'lookup') as unknown as MockInstance<LookupFunction>
      resolver.mockImplementation((_name, { all }, done) => (all ? done(null, LOCALHOST) : done(null, '::1', 6)))
      const service = createAuthService({ baseAddress: `http://localhost:${port}`, http: testClient() })
      return service.login({ username: 'ana', password: password('hush') }).finally(() => resolver.mockRestore())
    }

    await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(received).toEqual([])

    // For comparison, the app connects to a service at 127.0.0.1 on the same port.
    const service = createServer((_request, response) => response.writeHead(401, JSON_TYPE).end('{}'))
    await once(service.listen(port, '127.0.0.1'), 'listening')
    onTestFinished(() => void service.close())
    await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'rejected' } })
    expect(received).toEqual([])
  })

  test.each(['http', 'socks5'])(
    'SECURITY: for a proxy at localhost, the app connects to 127.0.0.1, and sends nothing to [::1]: %s',
    async (kind) => {
      const heard: string[] = []
      const stranger = createSocketServer((connection) => {
        connection.on('error', () => {})
        connection.on('data', (data) => {
          heard.push(data.toString('latin1'))
          // Both kinds of proxy ask for a password.
          connection.write(kind === 'http' ? PROXY_CHALLENGE : Buffer.from([5, 2]))
        })
      })
      await once(stranger.listen(0, '::1'), 'listening')
      onTestFinished(() => void stranger.close())
      const { port } = stranger.address() as AddressInfo
      const signIn = async () => {
        const resolver = vi.spyOn(dns, 'lookup') as unknown as MockInstance<LookupFunction>
        resolver.mockImplementation((_name, { all }, done) => (all ? done(null, LOCALHOST) : done(null, '::1', 6)))
        const clock = new DeadlineClock(systemTime)
        const routeFor = createRouteFor({
          resolveProxy: async () => 'DIRECT',
          env: { https_proxy: `${kind}://ana:hush@localhost:${port}` },
          credentials: { get: async () => undefined },
          clock,
        })
        const http = testClient({ clock, routeFor })
        const service = createAuthService({ baseAddress: 'https://service.test', http })
        return service.login({ username: 'ana', password: password('hush') }).finally(() => resolver.mockRestore())
      }
      const refused = { ok: false, failure: { code: 'unreachable', details: { proxy: `${kind}://localhost:${port}` } } }

      await expect(signIn()).resolves.toMatchObject(refused)
      expect(heard).toEqual([])

      // For comparison, the app connects to a proxy at 127.0.0.1 on the same port.
      const proxy = createSocketServer((connection) => {
        connection.on('error', () => {})
        connection.once('data', (data) => {
          heard.push(data.toString('latin1'))
          connection.destroy()
        })
      })
      await once(proxy.listen(port, '127.0.0.1'), 'listening')
      onTestFinished(() => void proxy.close())
      await expect(signIn()).resolves.toMatchObject(refused)
      expect(heard).toHaveLength(1)
    },
  )

  test(
    'SECURITY: a policy or CA file behind another user’s link is never read, even if the link changes',
    rootOnly(ANOTHER_USER),
    async () => {
      // This folder is in root's home, because everyone can write to the folder for temporary files.
      const administrators = mkdtempSync(path.join(homedir(), 'latchkey-policy-'))
      onTestFinished(() => rmSync(administrators, { recursive: true }))
      const otherFolder = ordinaryFolder('stranger')
      onTestFinished(() => otherFolder.remove())
      const [good, evil] = [path.join(administrators, 'good.json'), path.join(otherFolder.path, 'evil.json')]
      writeFileSync(good, '{"scope": "good"}', { mode: 0o644 })
      writeFileSync(evil, '{"scope": "evil"}')
      own(evil)
      const [direct, flipped] = [path.join(administrators, 'direct.json'), path.join(administrators, 'policy.json')]
      symlinkSync(good, direct)
      symlinkSync(path.join(otherFolder.path, 'link'), flipped)
      const flips = await startFlipper(otherFolder.path, [good, evil])

      const seen = new Set<unknown>()
      for (let times = 0; times < 5_000; times++) {
        const { layer, problems } = readPolicy(flipped, 'linux')
        seen.add(layer.scope ?? problems[0]?.problem)
        const { added, problems: ofTls } = readTlsFiles({ caFiles: [flipped] }, readOnLinux)
        seen.add(added[0] ?? ofTls[0]?.problem)
      }
      expect([...seen]).toEqual(['unsafe'])
      expect(await flips.end()).toBeGreaterThan(250)
      // A link that belongs to root is followed.
      expect(readPolicy(direct, 'linux').layer).toEqual({ scope: 'good' })
    },
  )

  describe('SECURITY: a data folder that belongs to someone else, or that others can write to, is refused', () => {
    /** Runs the app with this data folder. Returns what it prints, and its exit code. */
    const start = async (dataFolder: string | undefined, variables: Readonly<Record<string, string>> = {}) => {
      const installation = install()
      onTestFinished(() => installation.remove())
      const home = ordinaryFolder('home')
      onTestFinished(() => home.remove())
      const env = {
        ...systemVariables(),
        PATH,
        HOME: home.path,
        ...NO_DISPLAY,
        ...variables,
      }
      const all = argumentsOf({ installation, dataFolder: dataFolder ?? '' })
      const args = dataFolder === undefined ? all.filter((each) => !each.startsWith('--user-data-dir')) : all
      const words = [installation.executable, ...args]
      return run(words, { env, cwd: installation.appFolder })
    }
    const refusal = (folder: string) => ({
      code: 1,
      stderr: expect.stringContaining(
        `Latchkey doesn't start: Its data folder must be private, but ${folder} belongs to another user, or others can write to it.`,
      ),
    })

    test('another user’s world-writable folder is refused', rootOnly(ANOTHER_USER), async () => {
      const theirs = temporaryFolder()
      chmodSync(theirs, 0o777)
      await expect(start(theirs)).resolves.toMatchObject(refusal(theirs))
      expect(readdirSync(theirs)).toEqual([])
    })

    test('SECURITY: the user’s own folder is refused if others can write to it', async () => {
      const own = ordinaryFolder('data')
      onTestFinished(() => own.remove())
      chmodSync(own.path, 0o770)
      await expect(start(own.path)).resolves.toMatchObject(refusal(own.path))
      expect(readdirSync(own.path)).toEqual([])
    })

    test.runIf(process.platform === 'linux')(
      'SECURITY: showing the dialog about a refused folder writes nothing to that folder',
      async () => {
        const own = ordinaryFolder('data')
        onTestFinished(() => own.remove())
        chmodSync(own.path, 0o770)
        const starting = start(own.path, { DISPLAY: process.env['DISPLAY'] ?? '' })
        await pressInDialog('Return')
        await expect(starting).resolves.toMatchObject(refusal(own.path))
        expect(readdirSync(own.path)).toEqual([])
      },
    )

    // An AppImage sets these variables to certain folders next to itself, if the folders exist (AppImage: portable
    // mode).
    test.each(['HOME', 'XDG_CONFIG_HOME'])(
      'SECURITY: another user’s folder is refused if %s names it',
      rootOnly(ANOTHER_USER),
      async (variable) => {
        const theirs = temporaryFolder()
        chmodSync(theirs, 0o777)
        await expect(start(undefined, { [variable]: theirs })).resolves.toMatchObject(refusal(theirs))
      },
    )

    test('SECURITY: a missing folder is refused if others can write to a folder above it', async () => {
      const top = ordinaryFolder('data')
      onTestFinished(() => top.remove())
      chmodSync(top.path, 0o777)
      await expect(start(path.join(top.path, 'a', 'b'))).resolves.toMatchObject(refusal(top.path))
    })
  })

  test.runIf(process.platform === 'linux')('SECURITY: no core dump contains the app’s memory', async () => {
    const app = await (await openTestDesktop()).start()
    await app.open()
    const all = processTree(app.pid)
    expect(all.map(typeOf)).toEqual(expect.arrayContaining(['main', 'zygote', 'renderer', 'utility']))
    const dumped = all.filter((each) => !isUndumpable(each) && Number(`0x${coreDumpFilterOf(each)}`) !== 0)
    expect(dumped.map(({ commandLine }) => commandLine)).toEqual([])
  })
})
