import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../agent/client.ts'
import { LATCHKEY, type Latchkey, latchkeyIn, PATH, requireProgram, run, SHELLS } from './programs.ts'
import { TOKEN, ToolDesktop } from './tool-desktop.ts'

const ONE_SENTENCE = /^latchkey: .*\n$/

describe.each(SHELLS)('in $name', (shell) => {
  let desktop: ToolDesktop
  let latchkey: Latchkey
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    latchkey = latchkeyIn(shell, desktop)
  })

  it.each<readonly [string, number, RegExp, (desktop: ToolDesktop) => unknown]>([
    ['Latchkey is not running', 2, /isn't running.*start Latchkey/, (desktop) => desktop.stopAgent()],
    ['the agent is turned off', 2, /: Turned off by your administrator/, (d) => d.turnOffAgent('administrator')],
    [
      'no user is signed in',
      3,
      /You are not signed in\. Open Latchkey and sign in/,
      ({ session }) => session.signOut(),
    ],
    [
      'the service can’t be reached',
      4,
      /can't reach the service.*keeps trying/,
      ({ session }) => session.loseService(),
    ],
    ['the token has a line break', 5, /is not a token/, ({ session }) => session.hold('a\r\nX-Header: y')],
  ])('%s: the command exits with %i and prints advice, only on stderr', async (_, code, sentence, arrange) => {
    await arrange(desktop)
    // With `--format headers`, the command prints JSON. JSON can contain any token, so the command doesn't exit with 5.
    const formatted = code === 5 ? [] : [['token', '--format', 'headers']]
    // `status` fails only if Latchkey can't be reached. Without a token, it still prints the state.
    if (code === 2) formatted.push(['status'], ['status', '--json'])
    for (const args of [['token'], ['header'], ['rejected'], ...formatted]) {
      const answer = await latchkey(args, { input: 'an-old-one\n' })
      expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(ONE_SENTENCE) })
      expect(answer.stderr).toMatch(sentence)
    }
    const answer = await latchkey(['exec', '--', 'echo', 'ran'])
    expect(answer).toMatchObject({ code: 125, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  it('a command fails with a message if it can’t write to standard output', async () => {
    const words = [requireProgram(shell.words[0]), ...shell.words.slice(1), LATCHKEY, 'token']
    const env = { PATH, LATCHKEY_SOCKET: desktop.socket }
    const answer = await run(['sh', '-c', '"$@" >/dev/full', 'sh', ...words], { env })
    expect(answer).toMatchObject({ code: 1, stderr: "latchkey: standard output can't be written\n" })
  })

  it('a command that waits for an answer fails with a message if the agent stops', async () => {
    for (const [args, code] of [
      [['rejected'], 2],
      [['exec', 'echo'], 125],
    ] as const) {
      desktop.session.hang()
      const answer = latchkey(args, { input: TOKEN })
      await until(() => desktop.session.isRefreshing)
      await desktop.stopAgent()
      expect(await answer).toMatchObject({ code, stdout: '' })
      expect((await answer).stderr).toMatch(/^latchkey: .*its agent was turned off.*Start Latchkey.*\n$/)
      await desktop.startAgent()
    }
  })

  it.each([
    [[], 'a command is missing'],
    [['tokens'], "there is no command 'tokens'"],
    [['token', '--json'], "token doesn't take '--json'"],
    [['header', '--format', 'json'], "header doesn't take '--format'"],
    [['token', '--format=json&x=1'], '--format takes'],
    [['token', '--connection', 'a b'], '--connection takes'],
    [['token', '--min-validity'], '--min-validity needs a value'],
    [['token', '--min-validity=5&min_validity=6'], '--min-validity takes a whole number of seconds'],
    [['token', '--min-validity', '99999'], 'min_validity must be a whole number of seconds from 0 to 86400.'],
    [['rejected'], 'rejected reads the token from standard input'],
  ])('wrong usage exits with 1 and prints one sentence: %j', async (args, sentence) => {
    const answer = await latchkey(args)
    expect(answer).toMatchObject({ code: 1, stdout: '' })
    expect(answer.stderr).toMatch(ONE_SENTENCE)
    expect(answer.stderr).toContain(`latchkey: ${sentence}`)
  })

  it('`rejected` refuses input that isn’t a token', async () => {
    for (const input of ['\n', 'a b\n', `${TOKEN}\r\n`]) {
      expect(await latchkey(['rejected'], { input })).toMatchObject({ code: 1, stdout: '' })
    }
    expect(desktop.session.refreshes).toBe(0)
  })

  it('wrong usage of `exec` exits with 125, and nothing runs', async () => {
    const stderr = expect.stringMatching(/^latchkey: .*; see latchkey --help\n$/)
    for (const args of [
      ['--'],
      ['--', ''],
      ['-x'],
      ['--', '-x'],
      ['--min-validity', 'x', 'echo'],
      ['--strict', 'echo'],
      ['--best-effort', 'echo'],
    ]) {
      expect(await latchkey(['exec', ...args])).toMatchObject({ code: 125, stdout: '', stderr })
    }
    expect(desktop.tools).toEqual([])
  })

  it('the command exits with 2 if nothing listens at the socket, as if the socket were missing', async () => {
    const stale = path.join(desktop.folder, 'stale.sock')
    const script = `require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 9))`
    await run([process.execPath, '-e', script])
    expect(await latchkey(['token'], { env: { LATCHKEY_SOCKET: stale } })).toMatchObject({ code: 2, stdout: '' })
  })

  // curl(1) lists these codes under EXIT CODES.
  it.each([
    [undefined, 6, 'latchkey: curl is needed but is not on the PATH; install it\n'],
    [2, 6, "can't use a Unix socket"],
    [28, 4, "didn't answer in 40 s"],
    [56, 4, 'interrupted (curl exit code 56)'],
  ])('if curl exits with %i, the command exits with %i and prints the cause', async (curlCode, code, sentence) => {
    const curl = path.join(desktop.folder, 'curl')
    if (curlCode !== undefined) await writeFile(curl, `#!/bin/sh\nexit ${curlCode}\n`, { mode: 0o755 })
    const answer = await latchkey(['token'], { env: { PATH: desktop.folder } })
    expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  })

  it.each(['-x', `/${'🔑'.repeat(26)}`])(
    'a socket path that is relative or too long is refused: %s',
    async (socket) => {
      const answer = await latchkey(['token'], { env: { LATCHKEY_SOCKET: socket, LC_ALL: 'C.UTF-8' } })
      const stderr = expect.stringMatching(/must be absolute|over 103 bytes/)
      expect(answer).toMatchObject({ code: 1, stdout: '', stderr })
    },
  )
})
