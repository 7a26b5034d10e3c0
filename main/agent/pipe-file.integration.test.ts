/** Only Windows has named pipes. On other systems, these tests run the same code with a Unix socket. */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../test/agent/client.ts'
import { ModelSource } from '../../test/agent/model-source.ts'
import { agentAt, HOUR } from '../../test/agent/rig.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { Agent } from './agent.ts'
import { newPipeName } from './pipe-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = temporaryFolder()
  file = path.join(folder, 'Latchkey', 'agent.json')
})

function make(): Agent {
  const clock = new DeadlineClock(new ManualTime())
  const source = new ModelSource(clock)
  source.grant(HOUR)
  const pipeName = process.platform === 'win32' ? newPipeName : () => path.join(folder, newPipeName().slice(-12))
  const agent = agentAt({ kind: 'pipe', file }, { source, clock, pipeName })
  onTestFinished(() => agent.stop())
  return agent
}

const told = async (): Promise<{ pipe: string; secret: string }> => JSON.parse(await readFile(file, 'utf8'))

test('SECURITY: a request needs the secret from the agent’s file, which only its owner can read', async () => {
  expect(await make().start()).toEqual({ kind: 'on', location: { kind: 'pipe', file } })
  const { pipe, secret } = await told()
  expect((await ask(pipe, '/v1/token', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200)
  for (const url of ['/v1/token', '/elsewhere']) expect(await ask(pipe, url)).toMatchObject({ status: 403 })
  expect(await readdir(path.dirname(file))).toEqual(['agent.json'])
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('SECURITY: each start makes a new name and secret that nobody can guess, and each stop deletes the file', async () => {
  const agent = make()
  await agent.start()
  const first = await told()
  await agent.stop()
  expect(await readdir(path.dirname(file))).toEqual([])
  await agent.start()
  const second = await told()
  expect(second.pipe).not.toBe(first.pipe)
  expect(second.secret).not.toBe(first.secret)
  expect(second.secret.length).toBeGreaterThan(40)
  expect(newPipeName()).toMatch(/^\\\\\.\\pipe\\latchkey-[0-9a-f]{32}$/)
})

test('a stale or damaged file is replaced', async () => {
  const agent = make()
  for (const text of ['{', '{"pipe":"/nobody/there","secret":"s"}']) {
    await agent.start()
    await agent.stop()
    await writeFile(file, text)
    expect((await agent.start()).kind).toBe('on')
    expect((await told()).secret.length).toBeGreaterThan(40)
  }
})
