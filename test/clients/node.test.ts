/** What only the Node library does. */
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sentDirectly } from '../../clients/node/src/direct.ts'
import { originOf } from '../../clients/node/src/origins.ts'
import { safePathTo } from '../../clients/node/src/safe-path.ts'
import { run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { httpServer } from '../support/local-servers.ts'
import { buildNodePackage, ROOT } from './languages.ts'

let library: string
beforeAll(() => {
  library = buildNodePackage()
})
let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
})

/** Runs code that can use `latchkeyFetch`, `url` and `print`. Returns the value that the code prints. */
async function node(code: string, env: Record<string, string> = {}): Promise<unknown> {
  const program = `
import { LatchkeyError, latchkeyFetch } from ${JSON.stringify(pathToFileURL(path.join(library, 'index.js')).href)}
const url = process.env.DATA_URL
const print = (...values) => console.log(JSON.stringify(values))
${code}`
  const { stdout, stderr } = await run([process.execPath, '--input-type=module', '--eval', program], {
    env: { ...desktop.env, ...env },
  })
  expect(stderr).toBe('')
  return stdout === '' ? undefined : JSON.parse(stdout)
}

test('a host with an umlaut is accepted however many were checked before', () => {
  const origins = Array.from({ length: 20_000 }, () => originOf('https://bücher.example'))
  expect(new Set(origins)).toEqual(new Set(['https://xn--bcher-kva.example']))
})

test('latchkeyFetch rejects at once if `wait` isn’t a number of seconds', async () => {
  const told = await node("await latchkeyFetch(url, { wait: '30m' }).catch(({ message }) => print(message))")
  expect(told).toEqual(['wait must be true or a number of seconds, not 30m'])
})

describe('a Request', () => {
  test('is sent again with the same body and headers if the service rejects the token', async () => {
    desktop.refused = TOKEN
    const told = await node(`
const request = new Request(url, { method: 'POST', body: 'two\\nlines', headers: { 'Content-Type': 'text/csv' } })
print((await latchkeyFetch(request)).status, request.bodyUsed)`)
    expect(told).toEqual([200, true])
    expect([desktop.answers, desktop.lastBody, desktop.lastToken]).toEqual([[401, 200], 'two\nlines', `${TOKEN}.1`])
  })

  test('can have a body that the options replace', async () => {
    await node("await latchkeyFetch(new Request(url, { method: 'POST', body: 'a' }), { body: 'b' })")
    expect([desktop.answers, desktop.lastBody]).toEqual([[200], 'b'])
  })

  test('with a body that is too large to keep is sent once', async () => {
    desktop.refused = TOKEN
    const told = await node(`
const request = new Request(url, { method: 'POST', body: new Blob([new Uint8Array(17 * 1024 * 1024).fill(97)]) })
print((await latchkeyFetch(request)).status)`)
    expect(told).toEqual([401])
    expect(desktop.lastBody).toHaveLength(17 * 1_024 * 1_024)
    expect(desktop.session.refreshes).toBe(1)
  })
})

test.each(['latchkeyFetch(url, { signal })', 'latchkeyFetch(new Request(url, { signal }))'])(
  'an AbortSignal ends %s while Latchkey isn’t running, and nothing keeps the program running',
  async (call) => {
    await desktop.stopAgent()
    // If each attempt in this time left a listener on the signal, Node would print a warning.
    const told = await node(`
const signal = AbortSignal.timeout(1_500)
await ${call}.catch((error) => print(error.name))`)
    expect(told).toEqual(['TimeoutError'])
  },
)

test.each([
  ['setGlobalDispatcher(new EnvHttpProxyAgent())', '{}', 200],
  ['setGlobalDispatcher(new ProxyAgent(process.env.http_proxy))', '{}', 'unencrypted'],
  ['', '{ dispatcher: new ProxyAgent(process.env.http_proxy) }', 'unencrypted'],
])(
  'SECURITY: no request to this machine goes through a proxy of undici’s own classes: %s %s',
  async (prepare, init, expected) => {
    let asked = 0
    const proxy = await httpServer((_, response) => response.end(String(++asked)))
    onTestFinished(proxy.stop)
    const undici = pathToFileURL(path.join(ROOT, 'node_modules/undici/index.js')).href
    const told = await node(
      `import undici from ${JSON.stringify(undici)}
const { EnvHttpProxyAgent, ProxyAgent, setGlobalDispatcher } = undici
${prepare}
await latchkeyFetch(url, ${init}).then(({ status }) => print(status), (error) => print(error.code))
process.exit()`,
      { http_proxy: `http://127.0.0.1:${proxy.port}` },
    )
    expect([told, asked]).toEqual([[expected], 0])
  },
)

describe('the dispatcher of `fetch`', () => {
  class Agent {}
  class ProxyAgent {}
  class Dispatcher1Wrapper {}
  class EnvHttpProxyAgent {
    readonly options: unknown
    constructor(options: unknown) {
      this.options = options
    }
  }
  const slots = (first?: object, second?: object) =>
    ({
      [Symbol.for('undici.globalDispatcher.1')]: first,
      [Symbol.for('undici.globalDispatcher.2')]: second,
    }) as Record<symbol, never>
  const sent = (first?: object, second?: object) => sentDirectly({}, 'http://127.0.0.1:1', slots(first, second))

  test('isn’t replaced if it is the default dispatcher of any version of undici', () => {
    for (const slots of [[], [new Agent()], [new Dispatcher1Wrapper(), new Agent()]]) expect(sent(...slots)).toEqual({})
  })

  test('SECURITY: the dispatcher of `fetch` uses no proxy of the environment', () => {
    const direct = { dispatcher: new EnvHttpProxyAgent({ httpProxy: '', httpsProxy: '', noProxy: '*' }) }
    expect(sent(new Dispatcher1Wrapper(), new EnvHttpProxyAgent({}))).toEqual(direct)
  })

  test('SECURITY: a dispatcher that could be a proxy is refused', () => {
    for (const slots of [
      [new ProxyAgent(), new Agent()],
      [new Dispatcher1Wrapper(), new ProxyAgent()],
    ])
      expect(() => sent(...slots)).toThrow(/could go through a proxy/)
    expect(() => sent(new Dispatcher1Wrapper())).toThrow(/could go through a proxy/)
  })
})

describe('the path of the socket', () => {
  const uid = process.getuid?.() ?? 0

  test.each(['linux', 'darwin'] as const)(
    'SECURITY: a socket is refused if it or its folder is another user’s or others can change the folder: %s',
    (platform) => {
      const { path: safe, release } = safePathTo(desktop.socket, uid, platform)
      expect(safe).toMatch(platform === 'linux' ? /^\/proc\/self\/fd\/\d+\/agent\.sock$/ : /agent\.sock$/)
      release()
      expect(() => safePathTo(desktop.socket, uid + 1, platform)).toThrow(/belongs to another user/)
      for (const mode of [0o720, 0o702]) {
        chmodSync(path.dirname(desktop.socket), mode)
        expect(() => safePathTo(desktop.socket, uid, platform)).toThrow(/belongs to another user/)
      }
    },
  )

  test('SECURITY: on macOS, a socket is refused if others can rename a folder above it', () => {
    chmodSync(desktop.folder, 0o777)
    expect(() => safePathTo(desktop.socket, uid, 'darwin')).toThrow(/belongs to another user/)
    chmodSync(desktop.folder, 0o1777)
    expect(safePathTo(desktop.socket, uid, 'darwin').path).toMatch(/agent\.sock$/)
  })
})
