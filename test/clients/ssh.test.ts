/** `latchkey ssh` with Debian's own sshd. Another user of this machine is the remote user. */
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
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../agent/client.ts'
import { CLI, PATH, requireProgram, run, SHELLS } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { freePort } from '../support/local-servers.ts'
import { type Process, processes, processTree } from '../support/processes.ts'
import { rootOnly } from '../support/systems.ts'
import { ROOT } from './languages.ts'

const USER = `latchkey-ssh-${process.pid}`
const SSHD = '/usr/sbin/sshd'

/** An sshd on this machine, and the user whom it signs in. */
class Remote {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'latchkey-sshd-'))
  readonly home = path.join(this.#folder, 'home')
  readonly temporary = path.join(this.#folder, 'tmp')
  readonly bin = path.join(this.#folder, 'bin')
  #sshd: ChildProcess | undefined

  async start(): Promise<void> {
    const inside = (name: string) => path.join(this.#folder, name)
    chmodSync(this.#folder, 0o755)
    execFileSync('useradd', ['-M', '--home-dir', this.home, '--shell', '/bin/sh', '--password', '*', USER])
    for (const folder of [this.home, this.temporary]) {
      mkdirSync(folder)
      execFileSync('chown', [USER, folder])
    }
    for (const key of ['host', 'user']) {
      execFileSync(requireProgram('ssh-keygen', 'openssh-client'), ['-q', '-t', 'ed25519', '-N', '', '-f', inside(key)])
    }
    copyFileSync(inside('user.pub'), inside('authorized'))
    const port = await freePort()
    // sshd requires this folder, although its configuration and keys are elsewhere.
    mkdirSync('/run/sshd', { recursive: true })
    const config = [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${inside('host')}`, 'PidFile none', 'UsePAM no'],
      ...[`AuthorizedKeysFile ${inside('authorized')}`, 'StrictModes no', `SetEnv TMPDIR=${this.temporary}`],
      ...[`AllowUsers ${USER}`, 'LogLevel ERROR'],
    ]
    writeFileSync(inside('sshd_config'), `${config.join('\n')}\n`)
    this.#sshd = spawn(SSHD, ['-D', '-e', '-f', inside('sshd_config')], { stdio: 'ignore' })
    const client = [
      ...['Host there', 'HostName 127.0.0.1', `Port ${port}`, `User ${USER}`, `IdentityFile ${inside('user')}`],
      ...['IdentitiesOnly yes', `UserKnownHostsFile ${inside('known')}`, 'StrictHostKeyChecking no', 'LogLevel ERROR'],
      `Include ${inside('more')}`,
    ]
    writeFileSync(inside('ssh_config'), `${client.join('\n')}\n`)
    mkdirSync(this.bin)
    const ssh = path.join(this.bin, 'ssh')
    const command = `exec ${requireProgram('ssh', 'openssh-client')} -F ${inside('ssh_config')} "$@"`
    writeFileSync(ssh, `#!/bin/sh\n${command}\n`, { mode: 0o755 })
    copyFileSync(path.join(CLI, 'latchkey'), path.join(this.home, 'latchkey'))
    cpSync(path.join(ROOT, 'clients/python'), this.home, { recursive: true })
    while ((await run([ssh, 'there', 'true'], { env: { PATH } })).code !== 0) await sleep(100)
  }

  get folders(): readonly string[] {
    return readdirSync(this.temporary).map((name) => path.join(this.temporary, name))
  }

  /** Lets the processes of every open session hang, or continue. */
  signalSessions(signal: 'SIGSTOP' | 'SIGCONT'): void {
    signalAll(descendantsOf(this.#sshd?.pid ?? 0), signal)
  }

  /** Ends the server's part of every open session. Remote programs continue. */
  loseSessions(): void {
    const parts = descendantsOf(this.#sshd?.pid ?? 0).filter(({ commandLine }) => commandLine.startsWith('sshd: '))
    // The last process is the unprivileged one, which has the connection. When it ends, the privileged one ends, too.
    signalAll(parts.slice(-1), 'SIGKILL')
  }

  /** Signals the server itself. */
  signal(signal: NodeJS.Signals): void {
    this.#sshd?.kill(signal)
  }

  useShell(shell: string): void {
    execFileSync('usermod', ['--shell', shell, USER])
  }

  configure(lines: readonly string[]): void {
    writeFileSync(path.join(this.#folder, 'more'), `${lines.join('\n')}\n`)
  }

  async stop(): Promise<void> {
    this.#sshd?.kill()
    execFileSync('userdel', ['--force', USER], { stdio: 'ignore' })
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const descendantsOf = (pid: number): readonly Process[] => processTree(pid).slice(1)

function signalAll(those: readonly Process[], signal: NodeJS.Signals): void {
  for (const { pid } of those) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended, because another one ended.
    }
  }
}

describe('a session on another machine', rootOnly('only root can create a user to sign in as'), () => {
  const remote = new Remote()
  beforeAll(() => remote.start())
  afterAll(() => remote.stop())

  let desktop: ToolDesktop
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
  })

  const temporary = () => path.join(desktop.folder, 'tmp')
  const environment = () => {
    mkdirSync(temporary(), { recursive: true })
    const here = { HOME: desktop.folder, TMPDIR: temporary() }
    return { PATH: `${remote.bin}:${PATH}`, LATCHKEY_SOCKET: desktop.socket, ...here }
  }
  const there = (command: readonly string[], input = '') =>
    run([path.join(CLI, 'latchkey'), 'ssh', 'there', ...command], { env: environment(), input })
  /** Opens a session that stays open, because the remote shell reads commands until its input ends. */
  const stay = async (shell: readonly string[] = [], detached = false) => {
    const [program = '', ...args] = [...shell, path.join(CLI, 'latchkey'), 'ssh', 'there']
    const child = spawn(program, args, { env: environment(), detached })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const tell = async (command: string): Promise<string> => {
      child.stdin.write(`${command}\n`)
      return (await lines.next()).value ?? ''
    }
    return { child, tell, folder: path.dirname(await tell('echo "$LATCHKEY_SOCKET"')), ended: once(child, 'exit') }
  }

  test('gives the command and the libraries a token, and leaves no files', async () => {
    expect(await there(['./latchkey', 'token'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    expect(await there(['./latchkey exec -- printenv ACCESS_TOKEN'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n` })
    const python = `python3 -c 'from latchkey_desktop import token; print(token())'`
    expect(await there([python])).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    expect([remote.folders, readdirSync(temporary())]).toEqual([[], []])
  })

  test('SECURITY: a session’s socket is in a folder that no other user can read', async () => {
    const { child, folder, ended } = await stay()
    expect(remote.folders).toEqual([folder])
    const modes = [folder, path.join(folder, 'agent.sock')].map((file) => statSync(file).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600])
    child.stdin.end()
    await ended
    expect(remote.folders).toEqual([])
  })

  test('gets tokens again after a restart of Latchkey, and leaves nothing behind if Latchkey quits before the session', async () => {
    const { child, tell, ended } = await stay()
    expect(await tell('./latchkey token')).toBe(TOKEN)
    await desktop.stopAgent()
    expect(await tell('./latchkey token 2>&1 || :')).toMatch(/^latchkey: /)
    await desktop.startAgent()
    let answer = ''
    while (answer !== TOKEN) answer = await tell('sleep 0.1; ./latchkey token 2>&1')
    await desktop.stopAgent()
    child.stdin.end()
    expect((await ended)[0]).toBe(0)
    expect([readdirSync(temporary()), remote.folders]).toEqual([[], []])
    await until(() => left().length === 0)
    const { code, stdout, stderr } = await there(['echo', 'ran'])
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toContain("Latchkey isn't running")
  })

  /** The session's files, its sockets for the remote machine, and its processes; empty once all are gone. */
  const left = () => [
    ...readdirSync(temporary()),
    ...readdirSync(path.dirname(desktop.socket)).filter((name) => name !== 'agent.sock'),
    ...processes().flatMap(({ commandLine }) => (commandLine.includes(desktop.folder) ? [commandLine] : [])),
  ]

  const connections = () =>
    processes().filter(({ commandLine }) => commandLine.includes(' -M ') && commandLine.includes(desktop.folder))

  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const

  test.each(SHELLS)(
    'SECURITY: forwarding stops if a signal ends `latchkey ssh` while the remote side hangs: $name',
    async ({ words }) => {
      const sessions = []
      for (const signal of SIGNALS) sessions.push({ ...(await stay(words)), signal })
      // Ctrl+C and a closed terminal signal all of the command's processes.
      const groups = []
      for (const signal of ['SIGINT', 'SIGHUP'] as const) groups.push({ ...(await stay(words, true)), signal })
      for (const { tell } of [...sessions, ...groups]) expect(await tell('./latchkey token')).toBe(TOKEN)
      remote.signalSessions('SIGSTOP')
      signalAll(connections().slice(0, 1), 'SIGSTOP')
      for (const { child, signal } of sessions) child.kill(signal)
      for (const { child, signal } of groups) process.kill(-(child.pid ?? 0), signal)
      await until(() => left().length === 0)
      remote.signalSessions('SIGCONT')
      await until(() => remote.folders.length === 0)
    },
  )

  test('SECURITY: forwarding stops if a signal ends `latchkey ssh` before the remote side answers', async () => {
    remote.signal('SIGSTOP')
    onTestFinished(() => remote.signal('SIGCONT'))
    const start = () => spawn(path.join(CLI, 'latchkey'), ['ssh', 'there'], { env: environment() })
    const sessions = SIGNALS.map((signal) => ({ signal, child: start() }))
    await until(() => connections().length === sessions.length)
    for (const { child, signal } of sessions) child.kill(signal)
    await until(() => left().length === 0)
  })

  test('SECURITY: Latchkey closes its remote socket if all the command’s processes are killed at once', async () => {
    const { child, tell } = await stay()
    expect(await tell('./latchkey token')).toBe(TOKEN)
    const shells = descendantsOf(process.pid).filter(({ commandLine }) => / ssh there$/.test(commandLine))
    signalAll(shells, 'SIGKILL')
    await until(() => readdirSync(path.dirname(desktop.socket)).length === 1)
    await until(() => remote.folders.length === 0)
    expect(shells.length).toBeGreaterThan(1)
    // The ssh process runs until its input ends.
    child.stdin.end()
    await until(() => left().filter((words) => words.includes('ssh')).length === 0)
  })

  test('exits with 255 if the connection is lost, and leaves no files or processes', async () => {
    const { tell, ended } = await stay()
    expect(await tell('./latchkey token')).toBe(TOKEN)
    remote.loseSessions()
    expect((await ended)[0]).toBe(255)
    await until(() => left().length === 0 && remote.folders.length === 0)
  })

  test('uses only the connections that the command names, and Latchkey lists the session’s tools', async () => {
    desktop.staging.hold('a-staging-token')
    const ask = (name: string) => `./latchkey token --connection ${name} 2>&1 || :`
    const both = await there([`./latchkey token; ${ask('default')}`])
    expect(both.stdout).toBe(`${TOKEN}\n${TOKEN}\n`)
    const args = ['ssh', '--connection', 'staging', 'there', `./latchkey token; ${ask('default')}`]
    const { stdout } = await run([path.join(CLI, 'latchkey'), ...args], { env: environment() })
    expect(stdout).toBe('a-staging-token\nlatchkey: There is no connection with this name. Available: staging.\n')
    expect(desktop.uses.map(({ host, name }) => `${host}: ${name}`)).toEqual([
      expect.stringMatching(/^there: .*latchkey token/),
    ])
  })

  test('SECURITY: `latchkey ssh` from a remote machine to another one is refused', async () => {
    const { code, stderr } = await there(['./latchkey ssh another'])
    expect([code, stderr]).toEqual([125, 'latchkey: This is a remote machine. Run latchkey ssh on the desktop.\n'])
  })

  describe('with another login shell on the remote machine', () => {
    afterAll(() => remote.useShell('/bin/sh'))

    test.each(['/usr/bin/fish', '/usr/bin/tcsh'])(
      'the command runs, and its exit code is passed on: %s',
      async (shell) => {
        remote.useShell(shell)
        const quoted = `echo 'it'\\''s' "a  b" '$HOME' a\\ b; sh ./latchkey token; sh -c 'exit 7'`
        const stdout = `it's a  b $HOME a b\n${TOKEN}\n`
        expect(await there([quoted])).toMatchObject({ code: 7, stdout })
        expect(await there(['sh ./latchkey token; false; true'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n` })
        expect((await there([], 'echo one; exit 3\n')).code).toBe(3)
      },
    )

    test('SECURITY: `latchkey ssh` ends if the shell runs no commands, or sends a line without end', async () => {
      const endless = path.join(remote.home, 'endless')
      writeFileSync(endless, `#!/bin/sh\nexec tr '\\0' x </dev/zero\n`, { mode: 0o755 })
      for (const [shell, says] of [
        ['/usr/sbin/nologin', '.+'],
        [endless, 'x{300}'],
      ] as const) {
        remote.useShell(shell)
        const stderr = expect.stringMatching(
          new RegExp(`^latchkey: the login shell on there didn't run sh: ${says}\n$`),
        )
        expect(await there(['echo ran'])).toMatchObject({ code: 125, stdout: '', stderr })
        await until(() => left().length === 0)
      }
    })
  })

  test.each([
    ['ControlMaster auto', 'ControlPath /tmp/latchkey-%C', 'ControlPersist 1'],
    ['RemoteCommand echo no', 'PermitLocalCommand yes', 'LocalCommand printf "latchkey: no line break"'],
    ['ClearAllForwardings yes', 'StdinNull yes', 'ForkAfterAuthentication yes'],
    ['SessionType none', 'BatchMode yes', 'ServerAliveInterval 30', 'EscapeChar none'],
  ])('the session has tokens whatever lines the user’s ssh_config has: %s', async (...lines) => {
    remote.configure(lines)
    onTestFinished(() => remote.configure([]))
    expect(await there(['./latchkey token; exit 7'])).toMatchObject({ code: 7, stdout: `${TOKEN}\n` })
    expect([readdirSync(temporary()), remote.folders]).toEqual([[], []])
  })

  test('exits with the command’s code, or with 128 and the number of the signal that ended it', async () => {
    const ends = { 'exit 0': 0, 'exit 125': 125, 'exit 254': 254, 'exit 255': 255, 'kill -9 $$': 137, 'kill $$': 143 }
    for (const [end, code] of Object.entries(ends)) expect([end, (await there([end])).code]).toEqual([end, code])
  })

  test.each(['t'.repeat(150), 'x%h'])(
    'uses another folder for its socket if sockets can’t be in TMPDIR: %s',
    async (name) => {
      const env = { ...environment(), TMPDIR: path.join(temporary(), name) }
      mkdirSync(env.TMPDIR)
      const answer = await run([path.join(CLI, 'latchkey'), 'ssh', 'there', './latchkey token'], { env })
      expect(answer).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    },
  )

  test.each([[[]], [['--', '-oProxyCommand=x']], [['there', '-t', 'top']]])(
    'fails if the host is missing, or if an option comes before or after the host: %j',
    async (args) => {
      const answer = await run([path.join(CLI, 'latchkey'), 'ssh', ...args], { env: environment() })
      expect(answer).toMatchObject({ code: 125, stdout: '' })
      expect(answer.stderr).toMatch(/^latchkey: ssh /)
    },
  )
})
