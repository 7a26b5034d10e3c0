/** Tests of the Windows pipe that need no Windows, because a Unix socket stands in for the pipe. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Location } from '../../clients/node/src/location.ts'
import { pipeNameIn } from '../../clients/node/src/pipe-owner.ts'
import { ask, NobodyAnswers } from '../../clients/node/src/transport.ts'
import type { Agent } from '../../main/agent/agent.ts'
import { agentAt } from '../agent/rig.ts'
import { TestSession, TOKEN } from '../integration/cli/tool-desktop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runPython } from './languages.ts'

let agent: Agent
let location: Location
beforeEach(async () => {
  const folder = temporaryFolder()
  location = { kind: 'pipe', path: path.join(folder, 'agent.json') }
  const session = new TestSession()
  session.hold(TOKEN)
  const pipeName = () => path.join(folder, 'pipe')
  agent = agentAt({ kind: 'pipe', file: location.path }, { source: session, clock: session.clock, pipeName })
  await agent.start()
})
afterEach(() => agent.stop())

const HOSTILE_FILES = [
  '[]',
  '{"pipe":"p","secret":hunter2}',
  '{"pipe":5,"secret":"s"}',
  '{"pipe":"p","secret":"s\\r\\nX: y"}',
]

describe('Node', () => {
  const GET = { method: 'GET', path: '/v1/token' } as const
  const own = async () => true

  test('sends the agent the secret from the file, and finds the pipe under its new name after a restart', async () => {
    expect(await ask(location, 'a tool', GET, own)).toMatchObject({ status: 200, body: { token: TOKEN } })
    await agent.stop()
    await expect(ask(location, 'a tool', GET, own)).rejects.toThrow()
    await agent.start()
    const body = { token: TOKEN }
    const swapped = await ask(location, 'a tool', { method: 'POST', path: '/v1/token/rejected', body }, own)
    expect(swapped.body).toMatchObject({ token: `${TOKEN}.1` })
  })

  test('SECURITY: nothing is sent to another user’s pipe', async () => {
    for (const isOwn of [async () => false, () => Promise.reject(new Error('no answer'))]) {
      await expect(ask(location, 'a tool', GET, isOwn)).rejects.toMatchObject({ code: 'not_own' })
    }
    expect(agent.usage.list('default')).toEqual([])
  })

  test('SECURITY: a file that isn’t Latchkey’s is refused, and the error shows none of its content', async () => {
    for (const content of HOSTILE_FILES) {
      writeFileSync(location.path, content)
      const error = await ask(location, 'a tool', GET, own).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(NobodyAnswers)
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hunter2')
    }
  })

  test('SECURITY: only a pipe on this machine is accepted', () => {
    const names = ['\\\\.\\pipe\\latchkey-0a', '\\\\evil\\pipe\\x', '\\\\.\\pipe\\a\\b', '\\\\.\\pipe\\a"b', '']
    expect(names.map(pipeNameIn)).toEqual(['latchkey-0a', undefined, undefined, undefined, undefined])
  })
})

describe('Python', () => {
  /** Runs Python code. The variable AGENT_FILE names the file with the pipe's name and the secret. */
  const python = (code: string) => runPython(`${PREAMBLE}\n${code}`, { AGENT_FILE: location.path })
  const PREAMBLE = `
import os, socket
from latchkey_desktop import LatchkeyError
from latchkey_desktop.agent import Agent
from latchkey_desktop.location import PipeFile
from latchkey_desktop.windows import PipeStream, is_own_pipe, is_pipe_name

def open_stand_in(name):
    connected = socket.socket(socket.AF_UNIX)
    connected.connect(name)
    raw = connected.makefile("rwb", buffering=0)
    connected.close()
    return PipeStream(raw)

agent = Agent(PipeFile(os.environ["AGENT_FILE"]), "a tool", open_stand_in, start_s=0)
`

  test('sends the agent the secret from the file', async () => {
    const code = 'print(agent.token().token, agent.token().token, agent.rejected(agent.token().token).token)'
    expect(await python(code)).toEqual([`${TOKEN} ${TOKEN} ${TOKEN}.1`])
    expect(agent.usage.list('default')).toMatchObject([{ name: 'a tool', count: 4 }])
  })

  test('SECURITY: a file that isn’t Latchkey’s is refused, and a traceback shows none of its content', async () => {
    for (const content of [...HOSTILE_FILES, '['.repeat(100_000)]) {
      writeFileSync(location.path, content)
      const [code, ...shown] = await python(`
try: agent.token()
except LatchkeyError as error:
    print(error.code)
    while error is not None:
        print(vars(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)`)
      expect(code).toBe('not_reachable')
      expect(shown.join()).not.toContain('hunter2')
    }
  })

  test('SECURITY: only a local pipe of the user or the administrators is used', async () => {
    expect(
      await python(`
print(*[is_pipe_name(name) for name in [r"\\\\.\\pipe\\latchkey-0a", r"\\\\evil\\pipe\\x", r"\\\\.\\pipe\\a\\b", "C:\\\\x", ""]])
print(is_own_pipe("S-1-5-21-1", "S-1-5-21-1"), is_own_pipe("S-1-5-32-544", "S-1-5-21-1"), is_own_pipe("S-1-5-21-2", "S-1-5-21-1"))`),
    ).toEqual(['True False False False False', 'True True False'])
  })
})
