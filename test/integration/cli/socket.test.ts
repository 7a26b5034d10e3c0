import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { locate } from '../../../main/agent/location.ts'
import { LATCHKEY, newFolder, PATH, requireProgram, run, SHELLS } from './programs.ts'

let home: string
let remove: () => void
beforeEach(() => {
  const made = newFolder()
  home = made.folder
  remove = made.remove
})
afterEach(() => remove())

async function found(env: Readonly<Record<string, string>>, [shell, ...options]: readonly string[] = ['dash']) {
  const words = [requireProgram(shell ?? ''), ...options, LATCHKEY, 'socket']
  const { code, stdout, stderr } = await run(words, { env: { PATH, HOME: home, ...env } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.replace(/\n$/, '')
}

async function listenAt(socket: string): Promise<() => void> {
  await mkdir(path.dirname(socket), { recursive: true })
  const server = createServer().listen(socket)
  await once(server, 'listening')
  return () => server.close()
}

describe.each(SHELLS)('in $name', ({ words }) => {
  it.each<readonly [string, (home: string) => Record<string, string>]>([
    ['no variable is set', () => ({})],
    ['there is a runtime folder', (home) => ({ XDG_RUNTIME_DIR: `${home}/run` })],
    ['the runtime folder’s name has a space', (home) => ({ XDG_RUNTIME_DIR: `${home}/a run` })],
    ['the runtime folder’s path is relative, and so invalid', () => ({ XDG_RUNTIME_DIR: 'run' })],
    ['LATCHKEY_SOCKET is set', (home) => ({ XDG_RUNTIME_DIR: `${home}/run`, LATCHKEY_SOCKET: `${home}/my socket` })],
  ])('the command looks for the socket where the app listens: %s', async (_, envOf) => {
    const env = envOf(home)
    const dataFolder = path.join(home, '.config', 'Latchkey')
    const location = locate({ platform: 'linux', env, dataFolder, isDefaultDataFolder: true })
    expect({ kind: 'socket', path: await found(env, words) }).toEqual(location)
  })

  it('XDG_CONFIG_HOME moves the data folder', async () => {
    expect(await found({ XDG_CONFIG_HOME: `${home}/settings` }, words)).toBe(`${home}/settings/Latchkey/agent.sock`)
  })
})

it('a tool with XDG_RUNTIME_DIR finds an app that was started without this variable', async () => {
  const socket = path.join(home, '.config', 'Latchkey', 'agent.sock')
  const close = await listenAt(socket)
  expect(await found({ XDG_RUNTIME_DIR: `${home}/run` })).toBe(socket)
  close()
})

it('without XDG_RUNTIME_DIR, as under sudo and cron, the command looks in /run/user/UID', async () => {
  const close = await listenAt(`${home}/latchkey/agent.sock`)
  // Only the system makes folders in /run/user, so a fake `id` leads the command elsewhere.
  await mkdir(`${home}/bin`)
  await writeFile(`${home}/bin/id`, `#!/bin/sh\n[ "$1" = -u ] && echo '../..${home}'\n`, { mode: 0o755 })
  expect(await found({ PATH: `${home}/bin:${PATH}` })).toBe(`/run/user/../..${home}/latchkey/agent.sock`)
  close()
})

it('if there are two sockets, the command uses the one in the runtime folder', async () => {
  const closers = [
    await listenAt(`${home}/.config/Latchkey/agent.sock`),
    await listenAt(`${home}/run/latchkey/agent.sock`),
  ]
  expect(await found({ XDG_RUNTIME_DIR: `${home}/run` })).toBe(`${home}/run/latchkey/agent.sock`)
  for (const close of closers) close()
})
