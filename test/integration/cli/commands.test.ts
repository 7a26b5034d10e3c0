import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, until } from '../../agent/client.ts'
import { CALLER, LATCHKEY, type Latchkey, latchkeyIn, PATH, quoted, requireProgram, run, SHELLS } from './programs.ts'
import { TOKEN, ToolDesktop } from './tool-desktop.ts'

describe.each(SHELLS)('in $name', (shell) => {
  let desktop: ToolDesktop
  let latchkey: Latchkey
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    latchkey = latchkeyIn(shell, desktop)
  })

  it('`token` and `header` print the current token and nothing else', async () => {
    expect(await latchkey(['token'])).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    const header = `Authorization: Bearer ${TOKEN}\n`
    expect(await latchkey(['header'])).toMatchObject({ code: 0, stdout: header, stderr: '' })
    expect(desktop.tools).toEqual([`${CALLER} (latchkey header)`, `${CALLER} (latchkey token)`])
  })

  it('Latchkey lists a tool by the program that calls it, even through sh, and `exec` by its command', async () => {
    const words = [requireProgram(shell.words[0]), ...shell.words.slice(1), quoted(LATCHKEY), 'token']
    const hostile = path.join(desktop.folder, 'a\rb')
    await writeFile(hostile, `#!/bin/sh\n${words.join(' ')}; :\n`, { mode: 0o755 })
    const env = { PATH, LATCHKEY_SOCKET: desktop.socket }
    const named = () => desktop.tools[0]
    expect(await run(['/bin/sh', '-c', `${words.join(' ')}; :`], { env })).toMatchObject({ code: 0 })
    expect(named()).toBe(`${CALLER} (latchkey token)`)
    expect(await run([hostile], { env })).toMatchObject({ code: 0 })
    expect(named()).toBe('latchkey token')
    expect(await latchkey(['exec', '--wait', 'true'], { env: { lk_job: 'other' } })).toMatchObject({ code: 0 })
    expect(named()).toBe('true (latchkey exec)')
    expect(await latchkey(['exec', 'a\rb'])).toMatchObject({ code: 127 })
    expect(named()).toBe('latchkey exec')
    await latchkey(['exec', 'true'], { env: { LATCHKEY_TOOL: 'mine' } })
    expect(named()).toBe('mine')
  })

  it('`open` starts the app and waits until its agent answers; without a display or an app, it fails', async () => {
    const app = path.join(desktop.folder, 'latchkey-desktop')
    const started = path.join(desktop.folder, 'started')
    const runs = `while [ -e '${started}' ]; do sleep 0.1; done`
    await writeFile(app, `#!/bin/sh\necho "$# arguments" >'${started}'\n${runs}\n`, { mode: 0o755 })
    const env = { LATCHKEY_APP: app, WAYLAND_DISPLAY: 'wayland-1' }
    expect(await latchkey(['open'], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' })
    await until(() => existsSync(started) && readFileSync(started, 'utf8') === '0 arguments\n')
    const later = path.join(desktop.folder, 'later.sock')
    await writeFile(app, `#!/bin/sh\nsleep 1\nln -s '${desktop.socket}' '${later}'\n`)
    expect(await latchkey(['open'], { env: { ...env, LATCHKEY_SOCKET: later } })).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(later)).toBe(true)
    const without = await latchkey(['open'], { env: { LATCHKEY_APP: app } })
    expect(without).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('no display') })
    const nowhere = await latchkey(['open'], { env: { LATCHKEY_APP: '/nowhere/latchkey' } })
    expect(nowhere).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('/nowhere/latchkey') })
    // This curl exits as a real curl does at its timeout. An app that hangs accepts a connection, but never answers.
    await writeFile(path.join(desktop.folder, 'curl'), '#!/bin/sh\nexit 28\n', { mode: 0o755 })
    const hanging = await latchkey(['open'], { env: { ...env, PATH: `${desktop.folder}:${PATH}` } })
    expect(hanging).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('was started, but doesn') })
  })

  it('--min-validity and --connection select the token', async () => {
    desktop.session.hold(TOKEN, 150_000)
    desktop.staging.hold('staging-token')
    for (const [args, stdout] of [
      [['token', '--min-validity', '100'], `${TOKEN}\n`],
      [['exec', '--min-validity=200', 'printenv', 'ACCESS_TOKEN'], `${TOKEN}.1\n`],
      [['token', '--connection=staging', '--min-validity', '5'], 'staging-token\n'],
      [['header', '--min-validity=5', '--connection', 'staging'], 'Authorization: Bearer staging-token\n'],
      [['exec', '--connection', 'staging', '--', 'printenv', 'ACCESS_TOKEN'], 'staging-token\n'],
    ] as const) {
      expect(await latchkey(args)).toMatchObject({ code: 0, stdout, stderr: '' })
    }
  })

  it('if no token lives long enough, a warning says how long the best one lives, and `exec` runs nothing', async () => {
    const tooShort = '^latchkey: The access token is valid for only 2\\d\\d s, less than the requested 3600 s\\.'
    const warned = { code: 0, stderr: expect.stringMatching(`${tooShort}\n$`) }
    const args = ['--min-validity', '3600']
    const formatted = { ...warned, stdout: `{"Authorization":"Bearer ${TOKEN}"}\n` }
    expect(await latchkey(['token', '--format', 'headers', ...args])).toMatchObject(formatted)
    const stderr = expect.stringMatching(`${tooShort} Run it anyway with --best-effort\\.\n$`)
    expect(await latchkey(['exec', ...args, '--', 'echo', 'run'])).toMatchObject({ code: 4, stdout: '', stderr })
    const anyway = await latchkey(['exec', ...args, '--best-effort', '--', 'echo', 'run'])
    expect(anyway).toMatchObject({ ...warned, stdout: 'run\n' })
  })

  const HOUR = 3_600_000
  const inHours = (hours: number) => ({ kind: 'expected', at: Date.now() + hours * HOUR, saidBy: 'provider' }) as const
  it.each([
    [
      '480m',
      inHours(9),
      0,
      /^The session is expected to last until then: it ends on about .*, as the service says\.\n$/,
    ],
    ['1d', inHours(23), 1, /^The session is expected to end before then: .* A job .* --wait goes on .*\n$/],
    ['28800', undefined, 6, /^It is not known whether the session lasts/],
  ] as const)(
    '`status --until %s` says whether the session is expected to last: %j',
    async (until, end, code, says) => {
      desktop.end = end
      const answer = await latchkey(['status', '--until', until])
      expect(answer).toMatchObject({ code, stdout: expect.stringMatching(says), stderr: '' })
      const json = await latchkey(['status', '--json', `--until=${until}`])
      expect(json.code).toBe(code)
      expect(JSON.parse(json.stdout)).toMatchObject({ message: answer.stdout.trimEnd() })
    },
  )

  it('`status --until` exits with 3 while nobody is signed in, and refuses what isn’t a time', async () => {
    desktop.session.signOut()
    const stdout = 'You are not signed in. Open Latchkey and sign in.\n'
    expect(await latchkey(['status', '--until', '07:00'])).toMatchObject({ code: 3, stdout, stderr: '' })
    const stderr = expect.stringMatching(/until (takes|must be) a time such as 07:00/)
    for (const until of ['', '7 pm', '25:00', '07:00&connection=x']) {
      expect(await latchkey(['status', '--until', until])).toMatchObject({ code: 1, stdout: '', stderr })
    }
  })

  it('`exec --until` warns if the session may end before that time; with --strict, it runs nothing', async () => {
    desktop.end = inHours(7)
    const job = ['--', 'printenv', 'ACCESS_TOKEN']
    const warned = await latchkey(['exec', '--until', '8h', ...job])
    const stderr = expect.stringMatching(/^latchkey: The session is expected to end before then/)
    expect(warned).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr })
    const refused = await latchkey(['exec', '--until', '8h', '--strict', ...job])
    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('because of --strict') })
    const quiet = await latchkey(['exec', '--until=6h', '--strict', ...job])
    expect(quiet).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
  })

  it.each([
    [['--connection', 'staging'], { staging: 'revoked' }, 0, 'Signed out, here and at the service.\n'],
    [[], { default: 'revoking' }, 4, /^Signed out here\. .* keeps trying while it runs\.\n$/],
    [['--all'], { staging: 'revoking' }, 4, /^default: You were not signed in\.\nstaging: Signed out here\./],
  ] as const)('`sign-out` says what has become of the session: %j %j', async (args, signOuts, code, says) => {
    desktop.signOuts = signOuts
    const stdout = typeof says === 'string' ? says : expect.stringMatching(says)
    expect(await latchkey(['sign-out', ...args])).toMatchObject({ code, stdout, stderr: '' })
  })

  it('`sign-out` works while the agent is off, but fails if it would lose an unsaved recovery code', async () => {
    desktop.signOuts = { default: 'kept' }
    await desktop.turnOffAgent('administrator')
    const stderr = expect.stringContaining('recovery code would be lost')
    expect(await latchkey(['sign-out'])).toMatchObject({ code: 5, stdout: '', stderr })
    const both = await latchkey(['sign-out', '--all', '--connection', 'staging'])
    expect(both).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--connection or --all') })
  })

  it('`token --format` prints exactly what the agent sends', async () => {
    for (const format of ['text', 'json', 'oauth', 'headers', 'kubernetes']) {
      const { stdout } = await latchkey(['token', '--format', format])
      const { body } = await ask(desktop.socket, `/v1/token?format=${format}`)
      expect(withoutLife(stdout)).toBe(withoutLife(`${body}\n`))
      expect(stdout).toContain(TOKEN)
    }
    const other = await latchkey(['token', '--format=oauth', '--connection', 'staging'])
    const stderr = expect.stringContaining('You are not signed in to staging. Open Latchkey and sign in.')
    expect(other).toMatchObject({ code: 3, stdout: '', stderr })
  })

  it('`status` prints the state, as text and as JSON', async () => {
    const { stdout } = await latchkey(['status'])
    expect(stdout).toMatch(/^state: active\n(.+\n)*account: ana\ndisplayName: Ana Duarte\n/)
    const time = '\\w{3}, \\d+ \\w{3,4} \\d{4}, \\d\\d:\\d\\d'
    expect(stdout).toMatch(new RegExp(`\nsession ends: not known\ntoken ends: ${time}; Latchkey renews it`))
    expect(stdout).toContain('connections: default, staging\n')
    const json = await latchkey(['status', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'active', account: 'ana' })
  })

  it('`exec` changes only ACCESS_TOKEN in the environment of its command', async () => {
    const given = { token: 't', body: 'b', status: 's', LC_ALL: 'C', ACCESS_TOKEN: 'stale' }
    const { stdout } = await latchkey(['exec', '--', 'env', '-0'], { env: { ...given, ...OWN } })
    const variables = new Map(stdout.split('\0').map((each) => [each.replace(/=.*/s, ''), each.replace(/^.*?=/s, '')]))
    for (const name of ['', ...SET_BY_SHELLS]) variables.delete(name)
    expect(Object.fromEntries(variables)).toEqual({ ...desktop.env, ...given, ACCESS_TOKEN: TOKEN })
  })

  it('`exec` passes arguments, input, output and exit code on unchanged', async () => {
    const args = ['a  b', `q"u'o`, '', '*', '$(id)', '-x', 'é\n', '--', '--min-validity']
    const script = 'cat; for one; do printf "<%s>" "$one"; done; echo e >&2; exit 42'
    const answer = await latchkey(['exec', '--', 'sh', '-c', script, 'sh', ...args], { input: 'in' })
    expect(answer).toMatchObject({ code: 42, stdout: `in${args.map((one) => `<${one}>`).join('')}`, stderr: 'e\n' })
  })

  it('`exec` needs no -- before its command, passes on the command’s options, and is replaced by it', async () => {
    const answer = await latchkey(['exec', 'printf', '%s,', '--min-validity', '--', '--help'])
    expect(answer).toMatchObject({ code: 0, stdout: '--min-validity,--,--help,', stderr: '' })
    const { pid, stdout } = await latchkey(['exec', '--', 'sh', '-c', 'echo $$'])
    expect(stdout).toBe(`${pid}\n`)
  })

  it('`exec` exits with 127 if the command isn’t found, and with 126 if it can’t be run', async () => {
    const file = path.join(desktop.folder, 'plain')
    await writeFile(file, '')
    for (const [command, code, reason] of [
      ['no-such-command', 127, 'not found'],
      ['plain', 127, 'not found'],
      [file, 126, "can't be run"],
      [desktop.folder, 126, "can't be run"],
    ] as const) {
      const answer = await latchkey(['exec', '--', command])
      expect(answer).toMatchObject({ code, stdout: '', stderr: `latchkey: ${command}: ${reason}\n` })
    }
  })
})

/** Removes the remaining lifetime, which may differ by a second. */
const withoutLife = (text: string) => text.replace(/"expires_in":\d+/, '')

/** These variables of the script hold a token. The command of `exec` must not inherit them. */
const OWN = { lk_answer: '', lk_body: '', lk_rest: '', lk_head: '', lk_tail: '', lk_json: '' }

/** Shells export some of these variables by themselves. */
const SET_BY_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_']
