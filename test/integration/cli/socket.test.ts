import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { locate } from '../../../main/agent/location.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { LATCHKEY, PATH, requireProgram, run, SHELLS } from './programs.ts'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

async function found(env: Readonly<Record<string, string>>, [shell, ...options]: readonly string[] = ['dash']) {
  const words = [requireProgram(shell ?? ''), ...options, LATCHKEY, 'socket']
  const { code, stdout, stderr } = await run(words, { env: { PATH, HOME: home, ...env } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.replace(/\n$/, '')
}

async function listenAt(socket: string): Promise<void> {
  await mkdir(path.dirname(socket), { recursive: true })
  const server = createServer().listen(socket)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

describe.each(SHELLS)('in $name', ({ words }) => {
  it.each<readonly [string, (home: string) => Record<string, string>]>([
    ['no variable is set', () => ({})],
    ['the runtime folder’s name has a space', (home) => ({ XDG_RUNTIME_DIR: `${home}/a run` })],
    ['the runtime folder’s path is relative, and so invalid', () => ({ XDG_RUNTIME_DIR: 'run' })],
    ['LATCHKEY_SOCKET is set', (home) => ({ XDG_RUNTIME_DIR: `${home}/run`, LATCHKEY_SOCKET: `${home}/my socket` })],
  ])('the command looks for the socket where the app listens: %s', async (_, envOf) => {
    const env = envOf(home)
    const dataFolder = path.join(home, '.config', 'Latchkey')
    const location = locate({ platform: 'linux', env, dataFolder, isDefaultDataFolder: true })
    expect({ kind: 'socket', path: await found(env, words) }).toEqual(location)
  })
})

it('a tool finds an app that was started without XDG_RUNTIME_DIR, but prefers a socket in the runtime folder', async () => {
  const env = { XDG_RUNTIME_DIR: `${home}/run`, XDG_CONFIG_HOME: `${home}/settings` }
  const inData = `${home}/settings/Latchkey/agent.sock`
  await listenAt(inData)
  expect(await found(env)).toBe(inData)
  await listenAt(`${home}/run/latchkey/agent.sock`)
  expect(await found(env)).toBe(`${home}/run/latchkey/agent.sock`)
})

it('without XDG_RUNTIME_DIR, as under sudo and cron, the command looks in /run/user/UID', async () => {
  await listenAt(`${home}/latchkey/agent.sock`)
  // Only the system makes folders in /run/user, so a fake `id` leads the command elsewhere.
  await mkdir(`${home}/bin`)
  await writeFile(`${home}/bin/id`, `#!/bin/sh\n[ "$1" = -u ] && echo '../..${home}'\n`, { mode: 0o755 })
  expect(await found({ PATH: `${home}/bin:${PATH}` })).toBe(`/run/user/../..${home}/latchkey/agent.sock`)
})
