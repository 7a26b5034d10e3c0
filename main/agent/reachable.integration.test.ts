import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../test/agent/client.ts'
import { ModelSource } from '../../test/agent/model-source.ts'
import { agentAt } from '../../test/agent/rig.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { Agent } from './agent.ts'
import type { AgentLocation } from './location.ts'
import { newPipeName } from './pipe-file.ts'

const SOCKETS = 'the agent listens at a named pipe there'
const PIPES = 'the pipe is a socket here'
const MINUTE = 60_000
const WHOLE_DAY = 24 * 60 * MINUTE

let top: string
let folder: string
let socket: string
let file: string
let time: ManualTime
let servers: Server[]

beforeEach(() => {
  top = temporaryFolder()
  folder = path.join(top, 'latchkey')
  socket = path.join(folder, 'agent.sock')
  file = path.join(top, 'profile', 'agent.json')
  time = new ManualTime()
  servers = []
})

function make(location: AgentLocation = { kind: 'socket', path: socket }): Agent {
  const clock = new DeadlineClock(time)
  const source = new ModelSource(clock)
  source.grant(WHOLE_DAY)
  const agent = agentAt(location, {
    source,
    clock,
    onCheck: (listener) => clock.onCheck(listener),
    pipeName: () => path.join(top, newPipeName().slice(-12)),
  })
  onTestFinished(() => agent.stop())
  return agent
}

function change(agent: Agent): Promise<'lost' | 'restored'> {
  const told = new Promise<'lost' | 'restored'>((resolve) => agent.onChange(resolve))
  time.pass(MINUTE)
  return told
}

const statusAt = async (place: string) => (await ask(place, '/v1/token')).status

async function otherProgram(): Promise<void> {
  const server = createServer((each) => each.on('error', () => {}).end('other'))
  servers.push(server)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(socket, resolve))
}

describe('a socket that tools can’t reach, or that others can, is replaced', posixOnly(SOCKETS), () => {
  test.each<[string, () => Promise<unknown>]>([
    ['was deleted with its folder', () => rm(folder, { recursive: true })],
    ['was moved away', () => rename(socket, `${socket}.old`)],
    ['can’t be opened any more', () => chmod(socket, 0)],
    ['can be opened by others', () => chmod(socket, 0o666)],
    ['is in a folder that others can write to', () => chmod(folder, 0o777)],
  ])('if it %s', async (_, fault) => {
    const agent = make()
    await agent.start()
    await fault()
    await expect(change(agent)).resolves.toBe('restored')
    expect(agent.state).toMatchObject({ kind: 'on' })
    await expect(statusAt(socket)).resolves.toBe(200)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(socket)).mode & 0o777).toBe(0o600)
    await agent.stop()
    await expect(stat(socket)).rejects.toThrow('ENOENT')
  })
})

describe('what another program puts at the socket’s path is not deleted', posixOnly(SOCKETS), () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['a file', 'notASocket', () => writeFile(socket, 'mine')],
    ['another program’s socket', 'inUse', () => otherProgram()],
  ])('%s stays, and the agent’s state is “failed” until tools can connect again', async (_, kind, replace) => {
    const agent = make()
    await agent.start()
    await rm(socket)
    await replace()
    const before = await stat(socket)
    await expect(change(agent)).resolves.toBe('lost')
    expect(agent.state).toMatchObject({ kind: 'failed', problem: { kind } })
    await agent.stop()
    expect((await stat(socket)).ino).toBe(before.ino)
    await agent.start()
    expect(agent.state).toMatchObject({ kind: 'failed', problem: { kind } })
    for (const server of servers) server.close()
    await rm(socket, { recursive: true, force: true })
    await expect(change(agent)).resolves.toBe('restored')
    await expect(statusAt(socket)).resolves.toBe(200)
  })

  test('while the agent checks its socket, no other check queues up', async () => {
    const agent = make()
    let lost = 0
    agent.onChange(() => lost++)
    await agent.start()
    await rm(socket)
    await writeFile(socket, 'mine')
    time.pass(WHOLE_DAY)
    await agent.turnOff('user')
    expect(lost).toBe(1)
  })

  test('a stopping agent doesn’t delete the socket that another copy of Latchkey has made', async () => {
    const agent = make()
    await agent.start()
    await rm(socket)
    await make().start()
    await agent.stop()
    await expect(statusAt(socket)).resolves.toBe(200)
  })
})

describe('the file that names the pipe', () => {
  test('is written again if it was deleted with its folder', posixOnly(PIPES), async () => {
    const agent = make({ kind: 'pipe', file })
    await agent.start()
    const before = await readFile(file, 'utf8')
    await rm(path.dirname(file), { recursive: true })
    await expect(change(agent)).resolves.toBe('restored')
    await expect(readFile(file, 'utf8')).resolves.toBe(before)
    await agent.stop()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('isn’t deleted if another copy of Latchkey wrote it', posixOnly(PIPES), async () => {
    const agent = make({ kind: 'pipe', file })
    await agent.start()
    await rm(file)
    await make({ kind: 'pipe', file }).start()
    await agent.stop()
    expect((await stat(file)).isFile()).toBe(true)
    await agent.start()
    expect(agent.state).toMatchObject({ kind: 'failed', problem: { kind: 'inUse' } })
  })
})
