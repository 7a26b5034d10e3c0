import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { LATCHKEY, type Latchkey, latchkeyIn, PATH, requireProgram, run, SHELLS } from './programs.ts'
import { TOKEN, ToolDesktop } from './tool-desktop.ts'

describe.each(SHELLS)('in $name', (shell) => {
  let desktop: ToolDesktop
  let latchkey: Latchkey
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    latchkey = latchkeyIn(shell, desktop)
  })

  it('the socket may have any name', async () => {
    const other = await ToolDesktop.start(`it's "quoted" $(id)*[a] é🔑`)
    const env = { LATCHKEY_SOCKET: other.socket }
    expect(await latchkey(['token'], { env })).toMatchObject({ code: 0, stdout: `${TOKEN}\n` })
  })

  it.each([
    ['what a shell expands', '\\n%s$(id)`id`$HOME'],
    ['JSON', '{"token":"x"}'],
    ['an escaped backslash and a quote at the end', 'x\\\\"'],
    ['every visible ASCII character', String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 33))],
    ['100,000 characters', 'x'.repeat(100_000)],
  ])('an unusual token is passed on unchanged: %s', async (_, token) => {
    desktop.session.hold(token)
    expect(await latchkey(['token'])).toMatchObject({ code: 0, stdout: `${token}\n`, stderr: '' })
    expect(await latchkey(['exec', 'printenv', 'ACCESS_TOKEN'])).toMatchObject({ code: 0, stdout: `${token}\n` })
    expect(await latchkey(['rejected'], { input: `${token}\n` })).toMatchObject({ code: 0, stdout: `${TOKEN}.1\n` })
    expect(desktop.session.refreshes).toBe(1)
  })

  it('a token too long for an environment variable is printed, but not passed to a program', async () => {
    const token = 'x'.repeat(250_000)
    desktop.session.hold(token)
    expect(await latchkey(['token'])).toMatchObject({ code: 0, stdout: `${token}\n`, stderr: '' })
    const stderr = expect.stringMatching(/^latchkey: the token is too long for an environment variable;.*\n$/)
    expect(await latchkey(['exec', 'printenv', 'ACCESS_TOKEN'])).toMatchObject({ code: 125, stdout: '', stderr })
  })

  it('SECURITY: a token with anything but visible ASCII is refused', async () => {
    for (const token of ['é', 'a\u202eb', 'a\x7fb']) {
      desktop.session.hold(token)
      for (const [args, code] of [
        [['token'], 5],
        [['header'], 5],
        [['exec', 'true'], 125],
      ] as const) {
        expect(await latchkey(args)).toMatchObject({ code, stdout: '' })
      }
      expect(await latchkey(['rejected'], { input: `${token}\n` })).toMatchObject({ code: 1, stdout: '' })
    }
  })

  it('SECURITY: a tool’s name can’t add a header', async () => {
    for (const LATCHKEY_TOOL of ['x\r\nX-Header: y', 'x\n', '\x7f']) {
      const stderr = expect.stringContaining('LATCHKEY_TOOL')
      expect(await latchkey(['token'], { env: { LATCHKEY_TOOL } })).toMatchObject({ code: 1, stdout: '', stderr })
    }
    expect(desktop.tools).toEqual([])
  })

  const CONTROLS = ['\x1b]0;x\x07', '\u009b31m', '\n', '\x7f', '\u202egnp.exe', '\u2066x', '\u061cx', '\u2028x']
  it.each(CONTROLS)('SECURITY: no error repeats a control character of an argument or a variable: %j', async (text) => {
    const runs = await Promise.all([
      latchkey([text]),
      latchkey(['exec', '--', `./${text}`]),
      latchkey(['socket'], { env: { LATCHKEY_SOCKET: `/nowhere/${text}` } }),
      latchkey(['doctor'], { env: { LATCHKEY_APP: text } }),
    ])
    for (const { code, stdout, stderr } of runs) {
      expect(code).toBeGreaterThan(0)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^latchkey: [^\p{Cc}\p{Cf}\p{Zl}]+\n$/u)
    }
  })

  it.each(['\\233', '\\303(', '\\340\\200\\233', '\\355\\240\\200', '\\364\\220\\200\\200'])(
    'SECURITY: no error repeats invalid UTF-8, in which a terminal may see a control character: %s',
    async (bytes) => {
      const words = [requireProgram(shell.words[0]), ...shell.words.slice(1), LATCHKEY]
      const script = `lk=$(printf 'a${bytes}[31m'); "$@" "$lk"; LATCHKEY_SOCKET="/nowhere/$lk" "$@" token`
      const { stderr } = await run(['sh', '-c', script, 'sh', ...words], { env: { PATH, LC_ALL: 'C.UTF-8' } })
      expect(stderr).toMatch(/^latchkey: there is no command 'a\?+\(?\?*\[31m'.*\nlatchkey: .*LATCHKEY_SOCKET\n$/)
    },
  )

  it('SECURITY: no program in the current folder is run, even if the PATH names it', async () => {
    for (const name of ['curl', 'id', 'ps', 'readlink']) {
      await writeFile(path.join(desktop.folder, name), '#!/bin/sh\necho planted >>planted\n', { mode: 0o755 })
    }
    for (const folders of [`.:${PATH}`, `:${PATH}`, `x::${PATH}`]) {
      const env = { PATH: folders, XDG_RUNTIME_DIR: '' }
      expect(await latchkey(['token'], { env })).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    }
    expect(existsSync(path.join(desktop.folder, 'planted'))).toBe(false)
  })

  it('SECURITY: neither a .curlrc nor a proxy has any effect', async () => {
    const trace = path.join(desktop.folder, 'trace')
    await writeFile(path.join(desktop.folder, '.curlrc'), `trace-ascii = "${trace}"\nproxy = "http://127.0.0.1:9"\n`)
    const proxy = 'http://127.0.0.1:9'
    const env = { http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy, all_proxy: proxy, CURL_HOME: desktop.folder }
    expect(await latchkey(['token'], { env })).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
    expect(existsSync(trace)).toBe(false)
  })

  it('SECURITY: no option of the shell leaks a token', async () => {
    const env = { SHELLOPTS: 'allexport:xtrace' }
    const { stdout, stderr } = await latchkey(['exec', '--', 'env'], { env })
    expect(stderr).not.toContain(TOKEN)
    expect(stdout.split('\n').filter((line) => line.includes(TOKEN))).toEqual([`ACCESS_TOKEN=${TOKEN}`])
  })

  it.each([['token'], ['rejected'], ['exec', '/bin/true']])(
    'SECURITY: %s runs only curl, once, for a limited time, without a token in arguments or environment',
    async (...args) => {
      // This fake curl is the only program on the PATH. It records its call and then runs the real curl.
      const folder = path.join(desktop.folder, 'bin')
      const log = path.join(folder, 'log')
      await mkdir(folder)
      const say = `{ echo "parent $PPID"; printf '<%s>\\n' "$@"; /usr/bin/env; } >>'${log}'`
      const fake = `#!/bin/sh\n${say}\nexec ${requireProgram('curl')} "$@"\n`
      await writeFile(path.join(folder, 'curl'), fake, { mode: 0o755 })
      const { pid, code, stderr } = await latchkey(args, { env: { PATH: folder }, input: `${TOKEN}\n` })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const said = readFileSync(log, 'utf8')
      expect(said.match(/^parent .*$/gm)).toHaveLength(1)
      // `rejected` gets its token through a pipe, so in some shells curl's parent is a subshell.
      if (args[0] !== 'rejected') expect(said).toContain(`parent ${pid}\n`)
      expect(said).toMatch(/^<-q>\n(.*\n)*<--noproxy>\n<\*>\n(.*\n)*<--max-time>\n<40>\n/m)
      expect(said).not.toContain(TOKEN)
    },
  )
})

it('SECURITY: a shell without a built-in printf is refused, because the token would be an argument', async () => {
  const desktop = await ToolDesktop.start()
  const words = [requireProgram('bash'), '--norc', '--posix', '-c', 'enable -n printf; . "$0"', LATCHKEY, 'token']
  const answer = await run(words, { env: { PATH, LATCHKEY_SOCKET: desktop.socket } })
  expect(answer).toMatchObject({ code: 6, stdout: '' })
  expect(answer.stderr).toContain('no built-in printf')
})

it('functions that the caller’s bash exports aren’t called', async () => {
  const desktop = await ToolDesktop.start()
  const noisy = (name: string) => [`BASH_FUNC_${name}%%`, `() { command ${name} "$@"; command echo noise; }`]
  const functions = ['cd', 'curl', 'printf', 'read', 'test'].map(noisy)
  const env = { PATH, LATCHKEY_SOCKET: desktop.socket, ...Object.fromEntries(functions) }
  const answer = await run([requireProgram('bash'), '--posix', LATCHKEY, 'token'], { env })
  expect(answer).toMatchObject({ code: 0, stdout: `${TOKEN}\n`, stderr: '' })
})
