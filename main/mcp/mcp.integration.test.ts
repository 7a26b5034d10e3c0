import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { text as asText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LATCHKEY, PATH } from '../../test/integration/cli/programs.ts'
import { McpDesktop } from '../../test/mcp/desktop.ts'
import { type SdkServer, startSdkServer } from '../../test/mcp/sdk-server.ts'
import { httpServer } from '../../test/support/local-servers.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { running } from '../../test/support/running.ts'
import { DeadlineClock } from '../base/clock.ts'
import { Bridges } from './bridges.ts'

const SIGNED_OUT = 'You are not signed in. Open Latchkey and sign in.'
const FORBIDDEN = 'Turned off by your administrator: AI clients get no data through Latchkey.'

let desktop: McpDesktop
let server: SdkServer
beforeEach(async () => {
  desktop = new McpDesktop()
  server = await startSdkServer((token) => desktop.accepts(token))
  desktop.dataAddress = new URL(server.url).origin
  await desktop.agent.start()
})
afterEach(async () => {
  await desktop.stop()
  await server.stop()
})

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

async function serve(listener: RequestListener): Promise<string> {
  const { port } = await running(httpServer(listener))
  return `http://127.0.0.1:${port}`
}

function startBridge() {
  const bridge = spawn(LATCHKEY, ['mcp'], { env: { PATH, HOME: '/', LATCHKEY_SOCKET: desktop.socket } })
  bridge.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  return { bridge, over: Promise.all([once(bridge, 'close'), asText(bridge.stderr)]) }
}

describe('an AI client that runs latchkey mcp', () => {
  test.each([
    ['streams', false],
    ['JSON', true],
  ])('calls tools of a server that answers with %s', async (_, isJson) => {
    const other = await running(startSdkServer(desktop.accepts, isJson))
    desktop.dataAddress = new URL(other.url).origin
    const client = await desktop.connect()
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    expect(await client.callTool({ name: 'echo', arguments: { text: 'Grüße' } })).toMatchObject(text('Grüße'))
    const { content } = await client.callTool({ name: 'big', arguments: { bytes: 5_000_000 } })
    expect(content).toMatchObject([{ text: 'x'.repeat(5_000_000) }])
    const long = 'y'.repeat(5_000_000)
    expect(await client.callTool({ name: 'echo', arguments: { text: long } })).toMatchObject(text(long))
  })

  test('answers the server’s requests, and gets its notifications and progress', async () => {
    const client = await desktop.connect()
    expect(await client.callTool({ name: 'roots' })).toMatchObject(text('{"roots":[{"uri":"file:///home/ana"}]}'))
    const progress: number[] = []
    await client.callTool({ name: 'progress' }, { onprogress: (each) => progress.push(each.progress) })
    expect(progress).toEqual([1, 2, 3])
    const told = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    await expect.poll(() => server.requests).toContain('GET')
    for (const { server: each } of server.sessions.values()) await each.sendToolListChanged()
    await told
  })

  test('can cancel a call', async () => {
    const client = await desktop.connect()
    const closing = new AbortController()
    const call = client.callTool({ name: 'forever' }, { signal: closing.signal })
    await expect.poll(() => server.requests).toContain('POST tools/call')
    closing.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => server.cancelled).toHaveLength(1)
  })

  test('goes on when its stream was interrupted, and when the server has forgotten its session', async () => {
    const client = await desktop.connect()
    expect(await client.callTool({ name: 'resumed' })).toMatchObject(text('resumed'))
    expect(server.lastEventIds).toHaveLength(1)
    server.sessions.clear()
    const echo = (each: string) => client.callTool({ name: 'echo', arguments: { text: each } })
    expect(await Promise.all([echo('a'), echo('b')])).toMatchObject([text('a'), text('b')])
    expect(server.requests.filter((each) => each === 'POST initialize')).toHaveLength(2)
  })

  test('gets one new token after a 401, and asks no OAuth server, even while the agent is turned off', async () => {
    await desktop.agent.turnOff('administrator')
    const client = await desktop.connect()
    desktop.spoil()
    expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toMatchObject(text('a'))
    expect([desktop.session.refreshes, server.refused.count]).toEqual([1, 1])
    desktop.acceptsNone = true
    await expect(client.listTools()).rejects.toThrow('refused a new access token, too')
    expect(server.refused.count).toBe(3)
  })
})

describe('while the user is signed out', () => {
  test('every request gets an error that asks the user to sign in, and requests succeed again after the sign-in', async () => {
    const client = await desktop.connect()
    const forever = client.callTool({ name: 'forever' })
    const failed = expect(forever).rejects.toThrow(SIGNED_OUT)
    await expect.poll(() => server.requests).toContain('POST tools/call')
    desktop.session.signOut()
    await failed
    await expect(client.listTools()).rejects.toThrow(SIGNED_OUT)
    await expect(desktop.connect()).rejects.toThrow(SIGNED_OUT)
    expect(desktop.agent.needs.list()).toMatchObject([{ first: { name: 'test (mcp)' } }])
    desktop.session.hold('token-after')
    expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toMatchObject(text('a'))
  })

  test('SECURITY: the next person gets a session of their own', async () => {
    const client = await desktop.connect()
    const [first] = server.sessions.keys()
    desktop.session.hold('token-of-bea', 0, 300_000, 'bea')
    await client.listTools()
    expect([...server.sessions.keys()].at(-1)).not.toBe(first)
    expect(server.requests.filter((each) => each === 'POST initialize')).toHaveLength(2)
  })
})

describe('the end of a bridge', () => {
  test('ends the session at the server, even if the client was killed', async () => {
    const transport = desktop.transport()
    await desktop.connect(transport)
    expect(server.sessions.size).toBe(1)
    process.kill(transport.pid ?? 0, 'SIGKILL')
    await transport.close()
    await expect.poll(() => server.sessions.size).toBe(0)
    expect(server.requests).toContain('DELETE')
  })

  test.each([
    ['ends the session at the server, even if it must wait for a token', 'ana', 0],
    ['SECURITY: a bridge’s end isn’t reported to the server with the next person’s token', 'ben', 1],
    // Latchkey gives up after two seconds, which another bridge may take if the processor is busy.
  ])('%s', { retry: 2 }, async (_, person, left) => {
    const client = await desktop.connect()
    desktop.session.hang()
    const closed = client.close()
    await expect.poll(() => desktop.agent.usage.list('default')[0]?.isListening).toBeUndefined()
    // Another bridge ends meanwhile.
    await desktop.run()
    desktop.session.hold('token-1', 0, undefined, person)
    await closed
    await sleep(300)
    await expect.poll(() => server.sessions.size).toBe(left)
  })

  test('the 65th bridge is refused until the unused bridges have ended', () => {
    const time = new ManualTime()
    const bridges = new Bridges({
      http: { open: () => Promise.reject(new Error('nothing is sent')) },
      clock: new DeadlineClock(time),
      isAllowed: () => true,
      addresses: () => ({ data: desktop.dataAddress }),
      source: () => desktop.session,
    })
    const open = () => bridges.open('default', undefined, { onAsked: () => {}, onEnd: () => {} })
    for (let n = 0; n < 64; n++) expect(open()).toHaveProperty('id')
    time.pass(9_000)
    expect(open()).toMatchObject({ error: 'too_many_connections' })
    time.pass(2_000)
    expect(open()).toHaveProperty('id')
  })

  test('SECURITY: when the policy turns MCP off, each bridge ends and says why, and no new bridge opens', async () => {
    const { bridge, over } = startBridge()
    await once(bridge.stdout, 'data')
    desktop.isAllowed = false
    desktop.bridges.apply()
    expect(await over).toEqual([[2, null], `latchkey: ${FORBIDDEN}\n`])
    expect(await desktop.run()).toMatchObject({ code: 2, stdout: '', stderr: `latchkey: ${FORBIDDEN}\n` })
  })
})

describe('SECURITY: the token is sent only', () => {
  test.each([
    ['to another host', () => 'https://evil.example/mcp'],
    ['to another port', () => 'http://127.0.0.1:1/v1/mcp'],
    ['outside of the data address', () => `${desktop.dataAddress}/other/mcp`],
    ['outside of the data address, with an encoded slash', () => `${desktop.dataAddress}/v1/..%2fother`],
    ['outside of the data address, encoded twice', () => `${desktop.dataAddress}/v1/%252e%252e/other`],
    ['with a user name', () => desktop.dataAddress.replace('//', '//ana@')],
  ])('below the data address, not %s', async (_, address) => {
    const url = address()
    desktop.dataAddress += '/v1'
    const { code, stdout, stderr } = await desktop.run(url)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^latchkey: Latchkey sends no token to /)
    desktop.listed = `https://other.example/mcp ${new URL(url).origin}`
    if (!/@|%2[5f]/.test(url)) expect((await desktop.run(url)).code).toBe(0)
  })

  test.each([
    ['http://127.0.0.1:1/mcp', 'Redirect to http://127.0.0.1:1/mcp not followed'],
    ['/admin', 'must be below'],
  ])('to the configured address, not to %s, where a redirect leads', async (Location, words) => {
    const asked: string[] = []
    desktop.dataAddress = `${await serve(({ url = '' }, response) => {
      asked.push(url)
      response.writeHead(307, { Location }).end()
    })}/v1`
    await expect(desktop.connect()).rejects.toThrow(words)
    expect(asked).toEqual(['/v1/mcp'])
  })

  test('to the server: the client, its arguments and its environment never have it', async () => {
    const secret = `token-${randomUUID()}`
    desktop.session.hold(secret)
    const transport = desktop.transport()
    const seen: string[] = []
    transport.stderr?.on('data', (chunk) => seen.push(String(chunk)))
    const client = await desktop.connect(transport)
    const { onmessage } = transport
    transport.onmessage = (message) => {
      seen.push(JSON.stringify(message))
      onmessage?.(message)
    }
    await client.listTools()
    const processes = desktop.processes()
    expect(processes.join()).toContain(LATCHKEY)
    expect(JSON.stringify([seen, processes])).not.toContain(secret)
  })
})

describe('SECURITY: a server', () => {
  const events = { 'Content-Type': 'text/event-stream' }
  const json = { 'Content-Type': 'application/json' }
  type Answer = (response: ServerResponse) => void
  const head = (status: number, headers: Record<string, string>, body: string): Answer => {
    return (response) => void response.writeHead(status, headers).end(body)
  }
  test.each<[string, string, Answer]>([
    ['answers with a page', 'with a web page', head(401, { 'Content-Type': 'text/html' }, '<html>')],
    ['answers with what isn’t JSON-RPC', 'gave an answer that isn’t MCP', head(200, json, '{"hello":1}')],
    ['answers another request', 'gave no response', head(200, json, '{"jsonrpc":"2.0","id":99,"result":{}}')],
    ['breaks its answer off', 'was interrupted', (each) => each.writeHead(200, json).write('{', () => each.destroy())],
    ['sends a control character as its session’s id', 'isn’t allowed', head(200, { 'Mcp-Session-Id': 'a\tb' }, '{}')],
    ['answers with an error', 'answered with 403. Error POSTing to endpoint: no', head(403, {}, 'no\u001b[31m')],
  ])('that %s gives the client one error', async (_, words, answer) => {
    desktop.dataAddress = await serve((_request, response) => answer(response))
    await expect(desktop.connect()).rejects.toThrow(words.replaceAll('’', "'"))
  })

  test('that keeps ending its stream of events is asked for another at most ten times a second', async () => {
    let streams = 0
    desktop.dataAddress = await serve(async (request, response) => {
      if (request.method === 'GET') {
        streams += 1
        return void response.writeHead(200, events).end(`retry: 0\nid: ${streams}\n\n`)
      }
      const { id, params } = JSON.parse((await asText(request)) || '{}')
      if (id === undefined) return void response.writeHead(202).end()
      const { protocolVersion } = params
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } }
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    await desktop.connect()
    await sleep(1_000)
    expect(streams).toBeLessThan(20)
    await expect.poll(() => streams).toBeGreaterThan(2)
  })

  test.each([
    ['an event', events, 'gave no response'],
    ['an answer', json, 'longer than 64 MiB'],
  ] as const)('that sends %s without end is cut off', async (_, type, words) => {
    let sent = 0
    desktop.dataAddress = await serve((_request, response) => {
      const more = () => {
        do sent += 1
        while (!response.destroyed && response.write(`data: ${'x'.repeat(1_000_000)}\n`))
      }
      response.writeHead(200, type).on('drain', more)
      more()
    })
    await expect(desktop.connect()).rejects.toThrow(words)
    await sleep(200)
    expect(sent).toBeLessThan(90)
  })
})

describe('SECURITY: a client', () => {
  test('that sends garbage gets errors, and the bridge goes on', async () => {
    const lines = ['garbage', '[1,{"id":7}]', '{"jsonrpc":"1.0","id":"a","method":"x"}', '']
    const { stdout } = await desktop.run('', [...lines, '{"jsonrpc":"2.0","id":8,"method":"ping"}', ''].join('\n'))
    const answers = stdout.trim().split('\n')
    expect(answers.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32_700],
      [null, -32_600],
      [7, -32_600],
      ['a', -32_600],
      [8, expect.any(Number)],
    ])
  })

  test('that doesn’t read is cut off, and latchkey mcp says so', async () => {
    desktop.dataAddress = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const event = `data: {"jsonrpc":"2.0","method":"x","params":{"x":"${'x'.repeat(4_000_000)}"}}\n\n`
      const more = () => {
        while (!response.destroyed && response.write(event));
      }
      response.on('drain', more)
      response.on('close', () => bridge.stdout.resume())
      more()
    })
    const { bridge, over } = startBridge()
    let received = 0
    bridge.stdout.on('data', ({ length }) => {
      received += length
    })
    bridge.stdout.pause()
    expect(await over).toEqual([[4, null], "latchkey: The AI client didn't read the server's messages.\n"])
    expect(received).toBeLessThan(20_000_000)
  })

  test('that never ends its line is cut off, and no client can attach to a bridge that it didn’t open', async () => {
    const { stdout } = await desktop.run('', 'x'.repeat(100_000_000))
    expect(JSON.parse(stdout)).toMatchObject({ id: null, error: { message: 'A message is longer than 64 MiB.' } })
    expect(await desktop.ask('GET', '/v1/mcp/receive?bridge=0')).toBe(404)
  })
})

test.each([
  ['claude', 'mcpServers', ' .mcp.json'],
  ['cursor', 'mcpServers', ' ~/.cursor/mcp.json'],
  ['vscode', 'servers', ' .vscode/mcp.json'],
])('--config=%s prints the configuration that starts the bridge, and names its file', async (name, key, file) => {
  const { stdout, stderr } = await desktop.run(`--config=${name}`, '', 'https://data.example.com/mcp')
  expect(stderr).toContain(file)
  const { command, args, type } = JSON.parse(stdout)[key].latchkey
  expect([type, args]).toEqual(['stdio', ['mcp', 'https://data.example.com/mcp']])
  expect(await desktop.version(command)).toMatch(/^latchkey \d/)
})
