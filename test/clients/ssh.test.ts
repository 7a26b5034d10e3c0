/** Tests `latchkey ssh` with Debian's own sshd. Another user of this machine is the remote user. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Desktop, TOKEN } from '../integration/cli/desktop.ts'
import { CLI, demand, PATH, run } from '../integration/cli/programs.ts'
import { ROOT } from './languages.ts'

const USER = `latchkey-ssh-${process.pid}`
const SSHD = '/usr/sbin/sshd'

/** An sshd on this machine, and a user created for signing in to it. */
class Remote {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'latchkey-sshd-'))
  readonly home = path.join(this.#folder, 'home')
  /** The folder for the remote user's temporary folders. */
  readonly temporary = path.join(this.#folder, 'tmp')
  /** The folder with an `ssh` program that signs in to this sshd. */
  readonly bin = path.join(this.#folder, 'bin')
  #sshd: ChildProcess | undefined

  async start(options: readonly string[] = []): Promise<void> {
    const inside = (name: string) => path.join(this.#folder, name)
    chmodSync(this.#folder, 0o755)
    execFileSync('useradd', [
      '--no-create-home',
      '--home-dir',
      this.home,
      '--shell',
      '/bin/sh',
      '--password',
      '*',
      USER,
    ])
    for (const folder of [this.home, this.temporary]) {
      mkdirSync(folder)
      execFileSync('chown', [USER, folder])
    }
    for (const key of ['host', 'user']) {
      execFileSync(demand('ssh-keygen', 'openssh-client'), ['-q', '-t', 'ed25519', '-N', '', '-f', inside(key)])
    }
    copyFileSync(inside('user.pub'), inside('authorized'))
    const port = await freePort()
    // sshd requires this folder, although its configuration and keys are in the test's own folder.
    mkdirSync('/run/sshd', { recursive: true })
    const config = [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${inside('host')}`, 'PidFile none', 'UsePAM no'],
      ...[`AuthorizedKeysFile ${inside('authorized')}`, 'StrictModes no', `SetEnv TMPDIR=${this.temporary}`],
      ...[`AllowUsers ${USER}`, 'LogLevel ERROR', ...options],
    ]
    writeFileSync(inside('sshd_config'), `${config.join('\n')}\n`)
    this.#sshd = spawn(SSHD, ['-D', '-e', '-f', inside('sshd_config')], { stdio: 'ignore' })
    const client = [
      ...['Host there', 'HostName 127.0.0.1', `Port ${port}`, `User ${USER}`, `IdentityFile ${inside('user')}`],
      ...['IdentitiesOnly yes', `UserKnownHostsFile ${inside('known')}`, 'StrictHostKeyChecking no', 'LogLevel ERROR'],
    ]
    writeFileSync(inside('ssh_config'), `${client.join('\n')}\n`)
    mkdirSync(this.bin)
    const ssh = path.join(this.bin, 'ssh')
    writeFileSync(ssh, `#!/bin/sh\nexec ${demand('ssh', 'openssh-client')} -F ${inside('ssh_config')} "$@"\n`)
    chmodSync(ssh, 0o755)
    // The remote user's files: the command and a library.
    copyFileSync(path.join(CLI, 'latchkey'), path.join(this.home, 'latchkey'))
    cpSync(path.join(ROOT, 'clients/python/latchkey_desktop'), path.join(this.home, 'latchkey_desktop'), {
      recursive: true,
    })
    for (let tries = 0; (await run([ssh, 'there', 'true'], { env: { PATH } })).code !== 0; tries++) {
      if (tries === 50) throw new Error('sshd did not start')
      await sleep(100)
    }
  }

  /** The private folders that sessions have created. */
  get folders(): readonly string[] {
    return readdirSync(this.temporary).map((name) => path.join(this.temporary, name))
  }

  async stop(): Promise<void> {
    this.#sshd?.kill()
    execFileSync('userdel', ['--force', USER], { stdio: 'ignore' })
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries === 100) throw new Error('the condition was never met')
    await sleep(50)
  }
}

// Only root can create a user to sign in as.
if (process.getuid?.() === 0) {
  describe('a session on another machine', () => {
    demand('ssh', 'openssh-client')
    let remote: Remote
    beforeAll(async () => {
      remote = new Remote()
      await remote.start()
    })
    afterAll(() => remote.stop())

    let desktop: Desktop
    beforeEach(async () => {
      desktop = await Desktop.start()
    })
    afterEach(() => desktop.stop())

    /** The folder of the command's temporary files during a session. */
    const temporary = () => path.join(desktop.folder, 'tmp')
    const environment = () => {
      mkdirSync(temporary(), { recursive: true })
      const here = { HOME: desktop.folder, TMPDIR: temporary() }
      return { PATH: `${remote.bin}:${PATH}`, LATCHKEY_SOCKET: desktop.socket, ...here }
    }
    const there = (command: readonly string[], input = '') =>
      run([path.join(CLI, 'latchkey'), 'ssh', 'there', ...command], { env: environment(), input })
    /** Starts a session with a remote shell that reads commands until its input ends. */
    const stay = async () => {
      const child = spawn(path.join(CLI, 'latchkey'), ['ssh', 'there'], { env: environment() })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const tell = async (command: string): Promise<string> => {
        child.stdin.write(`${command}\n`)
        return (await lines.next()).value ?? ''
      }
      return { child, tell, folder: path.dirname(await tell('echo "$LATCHKEY_SOCKET"')), ended: once(child, 'exit') }
    }

    test('in a session, the command and the libraries get a token; afterwards, no files are left', async () => {
      expect(await there(['./latchkey', 'token'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
      expect(await there(['./latchkey exec -- printenv ACCESS_TOKEN'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n` })
      const python = `python3 -c 'from latchkey_desktop import token; print(token())'`
      expect(await there([python])).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
      expect([remote.folders, readdirSync(temporary())]).toEqual([[], []])
    })

    test('`latchkey ssh` passes its input to the remote command, and exits with that command’s code', async () => {
      expect(await there(["cat; echo 'a'\\''b' >&2; exit 7"], 'in')).toMatchObject({
        code: 7,
        stdout: 'in',
        stderr: "a'b\n",
      })
    })

    test('SECURITY: the socket of a session is in a folder that no other user can read', async () => {
      const { child, folder, ended } = await stay()
      expect(remote.folders).toEqual([folder])
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(statSync(path.join(folder, 'agent.sock')).mode & 0o777).toBe(0o600)
      child.stdin.end()
      await ended
      expect(remote.folders).toEqual([])
    })

    test('a session still gets tokens after Latchkey restarts', async () => {
      const { child, tell, ended } = await stay()
      expect(await tell('./latchkey token')).toBe(TOKEN)
      await desktop.stopAgent()
      expect(await tell('./latchkey token 2>&1 || :')).toMatch(/^latchkey: /)
      await desktop.startAgent()
      expect(await tell('./latchkey token')).toBe(TOKEN)
      child.stdin.end()
      await ended
    })

    test.each(['SIGKILL', 'SIGTERM'] as const)(
      'a second session continues when the first ends by %s',
      async (signal) => {
        const [first, second] = [await stay(), await stay()]
        expect([await first.tell('./latchkey token'), await second.tell('./latchkey token')]).toEqual([TOKEN, TOKEN])
        first.child.kill(signal)
        first.child.stdin.end()
        await until(() => remote.folders.length === 1)
        expect(remote.folders).toEqual([second.folder])
        await until(() => readdirSync(temporary()).length === 1)
        expect(await second.tell('./latchkey token')).toBe(TOKEN)
        second.child.stdin.end()
        await second.ended
        expect([remote.folders, readdirSync(temporary())]).toEqual([[], []])
      },
    )

    test('if Latchkey isn’t running, `latchkey ssh` says so and doesn’t start ssh', async () => {
      await desktop.stopAgent()
      const { code, stdout, stderr } = await there(['echo', 'ran'])
      expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
      expect(stderr).toContain("Latchkey isn't running")
    })

    test('if the remote machine doesn’t forward sockets, `latchkey ssh` says so', async () => {
      await remote.stop()
      remote = new Remote()
      await remote.start(['AllowStreamLocalForwarding no'])
      const { code, stdout, stderr } = await there(['echo', 'ran'])
      expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
      expect(stderr).toContain("there doesn't let ssh forward a socket")
      expect(remote.folders).toEqual([])
      await remote.stop()
      remote = new Remote()
      await remote.start()
    })

    test.each([[[]], [['-p']], [['--', '-oProxyCommand=x']]])(
      '`latchkey ssh` fails if the host is missing, or if an option is in its place: %j',
      async (args) => {
        const answer = await run([path.join(CLI, 'latchkey'), 'ssh', ...args], { env: environment() })
        expect(answer).toMatchObject({ code: 125, stdout: '' })
        expect(answer.stderr).toMatch(/^latchkey: ssh /)
      },
    )
  })
}
