/** The requests of latchkey-windows.ps1, sent to the agent as the script would send them. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Agent } from '../../../main/agent/agent.ts'
import { ERRORS } from '../../../main/agent/reply.ts'
import { only } from '../../agent/only.ts'
import { TestSession, TOKEN } from './desktop.ts'
import { CLI, newFolder } from './programs.ts'

const SCRIPT = readFileSync(path.join(CLI, 'latchkey-windows.ps1'), 'utf8')

let agent: Agent
let session: TestSession
let folder: string
let remove: () => void
beforeEach(async () => {
  const made = newFolder()
  folder = made.folder
  remove = made.remove
  session = new TestSession()
  session.hold(TOKEN)
  agent = new Agent({
    location: { kind: 'pipe', file: path.join(folder, 'agent.json') },
    connections: only(session),
    clock: session.clock,
    view: () => ({ version: '0.1.0', session: { kind: 'signedOut', revocation: 'none' } }),
    pipeName: () => path.join(folder, 'pipe'),
  })
  await agent.start()
})
afterEach(async () => {
  await agent.stop()
  remove()
})

/** Sends a request with the head and the body that `Send-Request` sends. Reads until the connection ends. */
async function answerTo(method: string, target: string, body = ''): Promise<string> {
  const { pipe, secret } = JSON.parse(readFileSync(path.join(folder, 'agent.json'), 'utf8'))
  const lines = /\$head = @\((.*?)\n {2}\)/s.exec(SCRIPT)?.[1] ?? ''
  const values: Readonly<Record<string, string>> = {
    $Method: method,
    $Path: target,
    $tool: 'latchkey token',
    $Accept: 'text/plain',
    $secret: secret,
    '$($content.Length)': String(Buffer.byteLength(body)),
  }
  const head = [...lines.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single = '']) =>
    Object.entries(values).reduce((line, [name, value]) => line.replace(name, value), double ?? single),
  )
  const socket = connect(pipe)
  await once(socket, 'connect')
  socket.write(`${head.join('\r\n')}${body}`)
  return text(socket)
}

it('the answer is complete when the connection ends', async () => {
  expect(await answerTo('GET', 'token?min_validity=5')).toMatch(/^HTTP\/1\.[01] 200 .*\r\n(.+\r\n)+\r\n\S+$/)
  expect((await answerTo('GET', 'token')).split('\r\n\r\n')[1]).toBe(TOKEN)
  expect(agent.usage.list('default')).toMatchObject([{ name: 'latchkey token', count: 2 }])
})

it('a refused token is swapped for another', async () => {
  const answer = await answerTo('POST', 'token/rejected', JSON.stringify({ token: TOKEN }))
  expect(answer.split('\r\n\r\n')[1]).toBe(`${TOKEN}.1`)
})

it('the answer to a failed request has a status and a sentence', async () => {
  session.signOut()
  const answer = await answerTo('GET', 'token')
  expect(answer).toMatch(/^HTTP\/1\.[01] 401 /)
  expect(answer.split('\r\n\r\n')[1]).toBe('You are not signed in. Open Latchkey and sign in.')
})

it('an agent that is turned off, or turned off during a request, counts as not running', () => {
  const [, beginning = '?'] = /if \(\$Body -clike '(.*)\*' -or /.exec(SCRIPT) ?? []
  expect(ERRORS.stopping[1].startsWith(beginning)).toBe(true)
  const [, other = '?'] = / -or \$Body -clike '(.*)\*'\) \{ \$code = 2 \}/.exec(SCRIPT) ?? []
  expect(ERRORS.turned_off[1].startsWith(other)).toBe(true)
})

it('if the token doesn’t last for --min-validity, the answer has the status that the script expects', async () => {
  const [, status = '?'] = /\$status -eq (\d+)\)/.exec(SCRIPT) ?? []
  const [, query = '?'] = /\$Strict = '(&.+)'/.exec(SCRIPT) ?? []
  const answer = await answerTo('GET', `token?min_validity=3600${query}`)
  expect(answer).toContain(` ${status} `)
  expect(answer.split('\r\n\r\n')[1]).toMatch(/^The access token is valid for only \d+ s, /)
})

it('the script finds its arguments where latchkey.cmd puts them', () => {
  const start = readFileSync(path.join(CLI, 'latchkey.cmd'), 'utf8')
  const [, option] = /IndexOf\(\$line, '(\S+)'\)/.exec(SCRIPT) ?? []
  expect(start.split(` ${option} `)).toEqual([expect.any(String), '"%~dp0latchkey-windows.ps1" %*\r\n'])
})
