import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Latchkey, latchkeyIn } from './call.ts'
import { Desktop, TOKEN } from './desktop.ts'
import { CALLER, demand, LATCHKEY, PATH, run, SHELLS } from './programs.ts'

describe.each(SHELLS)('in $name', (shell) => {
  let desktop: Desktop
  let latchkey: Latchkey
  beforeEach(async () => {
    desktop = await Desktop.start()
    latchkey = latchkeyIn(shell, desktop)
  })
  afterEach(() => desktop.stop())

  it.each(['a socket', `it's "quoted"`, '-x', '$(id)*[a]', 'é🔑'])('the socket may be named %s', async (name) => {
    const other = await Desktop.start(name)
    const env = { LATCHKEY_SOCKET: other.socket }
    expect(await latchkey(['token'], { env })).toMatchObject({ code: 0, stdout: `${TOKEN}\n` })
    await other.stop()
  })

  it.each([
    ['quote and backslash', 'a"b\\c'],
    ['shell', '\\n%s$(id)`id`$HOME'],
    ['option', '-n'],
    ['backslash', '\\'],
    ['quote', '"'],
    ['JSON', '{"token":"x"}'],
    ['glob', "'&|;<>*?[]~#!"],
    ['last', 'x\\\\"'],
    ['not ASCII', 'é🔑'],
    ['long', 'x'.repeat(8_000)],
  ])('a token of unusual characters is passed on unchanged: %s', async (_, token) => {
    desktop.session.hold(token)
    expect(await latchkey(['token'])).toMatchObject({ code: 0, stdout: `${token}\n`, stderr: '' })
    expect(await latchkey(['exec', 'printenv', 'ACCESS_TOKEN'])).toMatchObject({ code: 0, stdout: `${token}\n` })
    expect(await latchkey(['rejected'], { input: `${token}\n` })).toMatchObject({ code: 0, stdout: `${TOKEN}.1\n` })
    expect(desktop.session.refreshes).toBe(1)
  })

  it('LATCHKEY_TOOL sets the name of the tool', async () => {
    await latchkey(['token'], { env: { LATCHKEY_TOOL: 'nightly "report" (v1), @x' } })
    await latchkey(['token'], { env: { LATCHKEY_TOOL: '' } })
    expect(desktop.tools).toEqual([`${CALLER} (latchkey token)`, 'nightly "report" (v1), @x'])
  })

  it.each(['x\nX-Header: y', 'x\r\nX-Header: y', 'x\n', '\x7f'])(
    'SECURITY: the name of a tool can’t add a header: %j',
    async (name) => {
      const answer = await latchkey(['token'], { env: { LATCHKEY_TOOL: name } })
      expect(answer).toMatchObject({ code: 1, stdout: '' })
      expect(answer.stderr).toContain('LATCHKEY_TOOL')
      expect(desktop.tools).toEqual([])
    },
  )

  const CONTROLS = ['\x1b]0;x\x07', '\u009b31m', '\n', '\x7f']
  it.each(CONTROLS)('SECURITY: no error repeats a control character of an argument or a variable: %j', async (text) => {
    const runs = await Promise.all([
      latchkey([text]),
      latchkey(['token', text]),
      latchkey(['exec', '--', `./${text}`]),
      latchkey(['token'], { env: { LATCHKEY_SOCKET: `/nowhere/${text}` } }),
      latchkey(['socket'], { env: { LATCHKEY_SOCKET: `/nowhere/${text}` } }),
      latchkey(['doctor'], { env: { LATCHKEY_APP: text } }),
    ])
    for (const { code, stdout, stderr } of runs) {
      expect(code).toBeGreaterThan(0)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^latchkey: \P{Cc}+\n$/u)
    }
  })

  it('SECURITY: neither a .curlrc nor a proxy has any effect', async () => {
    const trace = path.join(desktop.folder, 'trace')
    await writeFile(path.join(desktop.folder, '.curlrc'), `trace-ascii = "${trace}"\nproxy = "http://127.0.0.1:9"\n`)
    const proxy = 'http://127.0.0.1:9'
    const env = { http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, all_proxy: proxy, CURL_HOME: desktop.folder }
    expect(await latchkey(['token'], { env })).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    expect(existsSync(trace)).toBe(false)
  })

  it.each(['allexport', 'xtrace', 'allexport:xtrace'])('SECURITY: SHELLOPTS=%s leaks no token', async (SHELLOPTS) => {
    const { stdout, stderr } = await latchkey(['exec', '--', 'env'], { env: { SHELLOPTS } })
    expect(stderr).not.toContain(TOKEN)
    expect(stdout.split('\n').filter((line) => line.includes(TOKEN))).toEqual([`ACCESS_TOKEN=${TOKEN}`])
  })

  it.each([['token'], ['header'], ['rejected'], ['status'], ['exec', 'true']])(
    'SECURITY: %s runs only curl, once, with a time limit, and with no token in its arguments or environment',
    async (...args) => {
      // The only program on the PATH: a curl that records its call and then runs the real one.
      const folder = path.join(desktop.folder, 'bin')
      const log = path.join(folder, 'log')
      await mkdir(folder)
      const say = `{ echo "parent $PPID"; printf '<%s>\\n' "$@"; /usr/bin/env; } >>'${log}'`
      await writeFile(path.join(folder, 'curl'), `#!/bin/sh\n${say}\nexec ${demand('curl')} "$@"\n`, { mode: 0o755 })
      const command = args[1] === undefined ? [] : ['/bin/true']
      const given = { env: { PATH: folder }, input: `${TOKEN}\n` }
      const { pid, code, stderr } = await latchkey([args[0] ?? '', ...command], given)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const said = readFileSync(log, 'utf8')
      expect(said.match(/^parent .*$/gm)).toHaveLength(1)
      // `latchkey rejected` pipes the token to curl. In some shells, curl's parent is then a subshell, which has
      // another process ID.
      if (args[0] !== 'rejected') expect(said).toContain(`parent ${pid}\n`)
      expect(said).toMatch(/^<-q>\n(.*\n)*<--noproxy>\n<\*>\n(.*\n)*<--max-time>\n<40>\n/m)
      expect(said).not.toContain(TOKEN)
    },
  )
})

it('SECURITY: a shell without a built-in printf is refused, because the token would be an argument', async () => {
  const desktop = await Desktop.start()
  const words = [demand('bash'), '--norc', '--posix', '-c', 'enable -n printf; . "$0"', LATCHKEY, 'token']
  const answer = await run(words, { env: { PATH, LATCHKEY_SOCKET: desktop.socket } })
  await desktop.stop()
  expect(answer).toMatchObject({ code: 6, stdout: '' })
  expect(answer.stderr).toContain('no built-in printf')
})
