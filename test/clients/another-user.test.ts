/** Tests in which another user changes where the socket's path leads, between the client's check and its connection. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { safePathTo } from '../../clients/node/src/safe-path.ts'
import { requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { ANOTHER_USER, rootOnly } from '../support/systems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { installRPackage, runPython } from './languages.ts'

let desktop: ToolDesktop
let folder: string
let stranger: ChildProcess
let socket: string
/** A link to the folder of another user, the stranger. A test that renames it to `link` makes `socket` lead there. */
let other: string
let link: string
beforeEach(async () => {
  desktop = await ToolDesktop.start()
  folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const theirs = path.join(folder, 'theirs')
  mkdirSync(theirs)
  chmodSync(theirs, 0o777)
  link = path.join(folder, 'link')
  other = path.join(folder, 'other')
  symlinkSync(path.dirname(desktop.socket), link)
  symlinkSync(theirs, other)
  socket = path.join(link, 'agent.sock')
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  stranger = spawn(requireProgram('python3'), ['-c', STRANGER, theirs], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (stranger.stdout !== null) await once(stranger.stdout, 'data')
})
afterEach(async () => {
  stranger.kill()
})

const STRANGER = `
import os, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(os.path.join(sys.argv[1], "agent.sock"))
listening.listen(64)
print("ready", flush=True)
while True:
    client, _ = listening.accept()
    heard = client.recv(4096)
    with open(os.path.join(sys.argv[1], "heard"), "ab") as file: file.write(heard)
    body = b'{"token":"stranger","expiresAt":9999999999,"account":"ana"}'
    try: client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
    except OSError: pass
`

function heardByStranger(): string {
  const heard = path.join(folder, 'theirs/heard')
  return existsSync(heard) ? readFileSync(heard, 'latin1') : ''
}

test('SECURITY: after connecting, Python checks who is listening', rootOnly(ANOTHER_USER), async () => {
  const code = `
import os
from latchkey_desktop import LatchkeyError, token, transport
check = transport.check_owner
def check_and_change(*args):
    check(*args)
    os.replace(${JSON.stringify(other)}, ${JSON.stringify(link)})
transport.check_owner = check_and_change
try: print(token())
except LatchkeyError as error: print(error.code)`
  expect(await runPython(code, { ...desktop.env, LATCHKEY_SOCKET: socket })).toEqual(['not_own'])
  expect(heardByStranger()).toBe('')
})

test.each(['linux', 'darwin'] as const)(
  'SECURITY: on %s, Node connects in the folder that it checked, even if the path then leads elsewhere',
  async (platform) => {
    const { path: safe, release } = safePathTo(socket, process.getuid?.() ?? 0, platform)
    renameSync(other, link)
    const client = connect(safe)
    client.end('GET /v1/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(await text(client)).toContain(TOKEN)
    release()
    expect(heardByStranger()).toBe('')
  },
)

test('SECURITY: R connects in the folder that it checked, even if the path then leads elsewhere', async () => {
  const code = `
library(latchkeydesktop)
check <- latchkeydesktop:::check_owner
assignInNamespace("check_owner", function(...) {
  check(...)
  file.rename("${other}", "${link}")
}, "latchkeydesktop")
cat(latchkey_token())`
  const { stdout } = await run([requireProgram('Rscript', 'r-base-core'), '-e', code], {
    env: { ...desktop.env, LATCHKEY_SOCKET: socket, R_LIBS: installRPackage() },
  })
  expect([stdout, heardByStranger()]).toEqual([TOKEN, ''])
})
