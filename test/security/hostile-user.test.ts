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
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer as createSocketServer, type LookupFunction } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { password } from '../../main/base/secret.ts'
import { createRouteFor } from '../../main/network/routes.ts'
import { readTlsFiles } from '../../main/network/tls-files.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { readGuarded } from '../../main/settings/guarded-file.ts'
import { readPolicy } from '../../main/settings/policy.ts'
import { LATCHKEY, PATH, type Run, requireProgram, run, SHELLS, type Shell } from '../integration/cli/programs.ts'
import { testClient } from '../support/local-servers.ts'
import { NO_DISPLAY, pressInDialog } from '../support/native-dialog.ts'
import { asOrdinaryUser, ordinaryFolder, ordinaryUser, own } from '../support/ordinary-user.ts'
import { coreDumpFilterOf, isUndumpable, type Process, processTree, typeOf } from '../support/processes.ts'
import { ANOTHER_USER, rootOnly } from '../support/systems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const LOCALHOST = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]

const COMMANDS = [['token'], ['header'], ['rejected'], ['status'], ['exec', 'true'], ['socket']]

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
  process.stdin.on('end', () => process.exit()).resume()
  flip()
  process.stderr.write('flipping')
`

/** Another user keeps switching `link` between two targets. */
async function startFlipper(folder: string, targets: readonly [string, string]) {
  const flipper = spawn(process.execPath, ['-e', FLIP, ...targets], { cwd: folder, ...ordinaryUser() })
  onTestFinished(() => void flipper.kill('SIGKILL'))
  await once(flipper.stderr, 'data')
}

const readOnLinux = (file: string) => readGuarded(file, 'linux')

describe('Another user of the same computer', () => {
  test.each(SHELLS)(
    'SECURITY: the command sends nothing to a socket of another user, or in another user’s folder: $name',
    rootOnly(ANOTHER_USER),
    async (shell) => {
      const [theirs, below] = [temporaryFolder(), temporaryFolder()]
      const runtime = ordinaryFolder('run')
      onTestFinished(() => runtime.remove())
      for (const folder of [theirs, runtime.path]) chmodSync(folder, 0o777)
      chmodSync(below, 0o755)
      mkdirSync(path.join(runtime.path, 'latchkey'))
      const inRuntime = path.join(runtime.path, 'latchkey/agent.sock')
      const sockets = [path.join(theirs, 'agent.sock'), path.join(below, 'agent.sock'), inRuntime]
      const servers = await Promise.all(
        sockets.map((socket) => serve(socket, 'HTTP/1.0 200 OK\r\n\r\na-stranger-s-token')),
      )
      const { uid = 0, gid = 0 } = ordinaryUser() ?? {}
      for (const [index, socket] of sockets.entries()) {
        chmodSync(socket, 0o777)
        // The second socket is the user's own, but its folder isn't.
        if (index === 1) chownSync(socket, uid, gid)
        const env = index === 2 ? { XDG_RUNTIME_DIR: runtime.path } : { LATCHKEY_SOCKET: socket }
        for (const args of COMMANDS) {
          const { code, stdout, stderr } = await asAna(shell, args, env)
          expect({ socket, args, code, stdout }).toMatchObject({ code: args[0] === 'exec' ? 125 : 7, stdout: '' })
          expect(stderr).toMatch(/^latchkey: .*belongs to another user.*\n$/)
        }
        expect(servers[index]?.connections()).toBe(0)
      }
    },
  )

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

  test.each(SHELLS)(
    'SECURITY: the command prints no control characters from a socket’s answer: $name',
    async (shell) => {
      // Escape sequences in both forms (U+009B is the C1 form), and other control characters.
      const evil = '\x1b]0;owned\x07\x1b[2J\u009b2Ja\rb\b\b\b\x7f'
      const words = [requireProgram(shell.words[0]), ...shell.words.slice(1), LATCHKEY]
      for (const status of ['200 OK', '401 Unauthorized']) {
        const socket = path.join(temporaryFolder(), 'agent.sock')
        await serve(socket, `HTTP/1.0 ${status}\r\n\r\nSign in${evil}again`)
        for (const LC_ALL of ['C', 'C.UTF-8']) {
          const env = { PATH, LC_ALL, LATCHKEY_SOCKET: socket }
          for (const args of COMMANDS.filter(([name]) => name !== 'socket')) {
            const { code, stdout, stderr } = await run([...words, ...args], { env, input: 'an-old-token\n' })
            expect({ args, code, stdout }).toMatchObject({ code: expect.toSatisfy((each) => each !== 0), stdout: '' })
            expect(stderr).toMatch(/^latchkey: [^\p{Cc}]+\n$/u)
          }
        }
      }
    },
  )

  test.each([
    ['a service', undefined],
    ['an HTTP proxy', 'http'],
    ['a SOCKS proxy', 'socks5'],
  ] as const)(
    'SECURITY: for %s at localhost, the app connects to 127.0.0.1, and sends nothing to [::1]',
    async (_, proxy) => {
      const heard: string[] = []
      const listen = async (host: string, port: number) => {
        const server = createSocketServer((connection) => {
          connection.on('error', () => {})
          connection.once('data', () => {
            heard.push(host)
            connection.destroy()
          })
        })
        await once(server.listen(port, host), 'listening')
        onTestFinished(() => void server.close())
        return (server.address() as AddressInfo).port
      }
      const port = await listen('::1', 0)
      const signIn = async () => {
        // [::1] comes first here, as on most machines.
        const resolver = vi.spyOn(dns, 'lookup') as unknown as MockInstance<LookupFunction>
        resolver.mockImplementation((_name, { all }, done) => (all ? done(null, LOCALHOST) : done(null, '::1', 6)))
        const routeFor = createRouteFor({
          resolveProxy: async () => 'DIRECT',
          env: proxy ? { https_proxy: `${proxy}://ana:hush@localhost:${port}` } : {},
          credentials: { get: async () => undefined },
          clock: new DeadlineClock(systemTime),
        })
        const baseAddress = proxy ? 'https://service.test' : `http://localhost:${port}`
        const service = createAuthService({ baseAddress, http: testClient({ routeFor }) })
        return service.login({ username: 'ana', password: password('hush') }).finally(() => resolver.mockRestore())
      }
      await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'unreachable' } })
      expect(heard).toEqual([])

      // For comparison, the app connects to a server at 127.0.0.1 on the same port.
      await listen('127.0.0.1', port)
      await expect(signIn()).resolves.toMatchObject({ ok: false, failure: { code: 'unreachable' } })
      expect(new Set(heard)).toEqual(new Set(['127.0.0.1']))
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
      const link = path.join(otherFolder.path, 'link')
      symlinkSync(link, flipped)
      await startFlipper(otherFolder.path, [good, evil])

      const seen = new Set<unknown>()
      let [switches, target] = [0, '']
      for (let times = 0; times < 5_000 || switches < 20; times++) {
        const before = target
        target = readlinkSync(link)
        if (target !== before) switches++
        const { layer, problems } = readPolicy(flipped, 'linux')
        seen.add(layer.scope ?? problems[0]?.problem)
        const { added, problems: ofTls } = readTlsFiles({ caFiles: [flipped] }, readOnLinux)
        seen.add(added[0] ?? ofTls[0]?.problem)
      }
      expect([...seen]).toEqual(['unsafe'])
      // A link that belongs to root is followed.
      expect(readPolicy(direct, 'linux').layer).toEqual({ scope: 'good' })
    },
  )

  test(
    'SECURITY: a data folder of someone else, or that others can write to, is refused, also while a dialog says so',
    rootOnly(ANOTHER_USER),
    async () => {
      const desk = await openTestDesktop()
      const theirs = temporaryFolder()
      chmodSync(theirs, 0o777)
      chmodSync(desk.dataFolder, 0o770)
      const sentence = (folder: string) =>
        `Its data folder must be private, but ${folder} belongs to another user, or others can write to it.`
      const inDialog = desk.startUndriven()
      await pressInDialog('Return')
      await expect(inDialog.ended).resolves.toBe(1)
      expect(inDialog.printed()).toContain(sentence(desk.dataFolder))
      // An AppImage sets this variable to a certain folder next to itself, if that folder exists (AppImage: portable
      // mode).
      const env = { ...NO_DISPLAY, XDG_CONFIG_HOME: theirs }
      const undisplayed = desk.startUndriven({ env, isDefaultDataFolder: true })
      await expect(undisplayed.ended).resolves.toBe(1)
      expect(undisplayed.printed()).toContain(sentence(theirs))
      expect([...readdirSync(desk.dataFolder), ...readdirSync(theirs)]).toEqual([])
    },
  )

  test.runIf(process.platform === 'linux')('SECURITY: no core dump contains the app’s memory', async () => {
    const app = await (await openTestDesktop()).start()
    await app.open()
    const all = processTree(app.pid)
    expect(all.map(typeOf)).toEqual(expect.arrayContaining(['main', 'zygote', 'renderer', 'utility']))
    const isDumped = (each: Process) => !isUndumpable(each) && Number(`0x${coreDumpFilterOf(each)}`) !== 0
    // Polls, because a process may end while its files are read.
    await expect.poll(() => processTree(app.pid).filter(isDumped)).toEqual([])
  })
})
