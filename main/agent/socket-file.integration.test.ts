import { statSync } from 'node:fs'
import { chmod, lchown, mkdir, readdir, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ownUid } from '../../test/agent/rig.ts'
import { ANOTHER_USER, posixOnly, rootOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { listenAtSocket, livenessOf } from './socket-file.ts'

const SOCKETS = 'the agent listens at a named pipe there'
const uid = ownUid()
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)

let top: string
let folder: string
let socket: string

beforeEach(() => {
  top = temporaryFolder()
  folder = path.join(top, 'latchkey')
  socket = path.join(folder, 'agent.sock')
})

function newServer(): Server {
  const server = createServer((each) => each.destroy())
  onTestFinished(() => void server.close())
  return server
}

const start = (at = socket) => listenAtSocket(newServer(), { path: at, uid })

async function leaveBehind() {
  await mkdir(folder, { mode: 0o700 })
  const server = newServer()
  await new Promise<void>((resolve) => server.listen(`${socket}.old`, resolve))
  await rename(`${socket}.old`, socket)
  await new Promise((resolve) => server.close(resolve))
}

describe('the socket', posixOnly(SOCKETS), () => {
  test('SECURITY: only the user can reach the socket, even while it is being made, and its folder', async () => {
    const before = process.umask(0)
    const server = newServer()
    let mode = 0
    const listen = server.listen.bind(server)
    server.listen = ((...options: Parameters<typeof listen>) => {
      const result = listen(...options)
      mode = statSync(socket).mode & 0o777
      return result
    }) as typeof server.listen
    try {
      expect(await listenAtSocket(server, { path: socket, uid })).toBeUndefined()
      expect(process.umask(0)).toBe(0)
    } finally {
      process.umask(before)
    }
    expect([mode.toString(8), await modeOf(folder), await modeOf(socket)]).toEqual(['700', '700', '600'])
  })

  test('a stale socket is replaced by exactly one of many agents that start at the same time', async () => {
    await leaveBehind()
    const starts = await Promise.all(Array.from({ length: 8 }, () => start()))
    expect(starts.filter((problem) => problem === undefined)).toHaveLength(1)
    for (const problem of starts) expect([undefined, 'inUse']).toContain(problem?.kind)
    expect(await livenessOf(socket)).toBe('live')
    expect(await readdir(folder)).toEqual(['agent.sock'])
  })

  test.each([-60_000, 60_000])('an interrupted start’s lock of %i ms doesn’t keep a stale socket', async (when) => {
    await leaveBehind()
    await writeFile(`${socket}.lock`, '')
    const at = new Date(Date.now() + when)
    await utimes(`${socket}.lock`, at, at)
    expect(await start()).toBeUndefined()
    expect(await readdir(folder)).toEqual(['agent.sock'])
  })
})

describe('the socket’s folder', posixOnly(SOCKETS), () => {
  test('is refused if others can write to it, or if the folder above is missing', async () => {
    await mkdir(folder)
    await chmod(folder, 0o702)
    for (const at of [socket, path.join(folder, 'below', 'agent.sock')])
      expect(await start(at)).toEqual({ kind: 'folderUnsafe', path: folder })
    const missing = path.join(top, 'none', 'latchkey', 'agent.sock')
    expect(await start(missing)).toEqual({ kind: 'folderMissing', path: path.join(top, 'none') })
    expect(await readdir(folder)).toEqual([])
  })

  test('SECURITY: is refused if its path is another user’s link', rootOnly(ANOTHER_USER), async () => {
    const link = path.join(top, 'link')
    await symlink('.', link)
    await lchown(link, uid + 1, 0)
    expect(await start(path.join(link, 'agent.sock'))).toEqual({ kind: 'folderUnsafe', path: link })
  })
})
