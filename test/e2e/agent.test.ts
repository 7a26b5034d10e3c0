/** Every tool of the signed-in user gets a token until that user signs out. Other users' tools never get one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { ordinaryUser, own } from '../support/ordinary-user.ts'

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const socketOf = ({ dataFolder }: Desk) => path.join(dataFolder, 'agent.sock')

/** Runs the command as the app's user. */
async function latchkey(desk: Desk, args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: socketOf(desk) }
  try {
    // Runs a copy of the command, because a checkout may be readable only by root.
    const script = path.join(desk.home, 'latchkey')
    copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
    const run = promisify(execFile)('sh', [script, ...args], { env, cwd: '/', ...ordinaryUser() })
    return { code: 0, ...(await run) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}

it('tools get the session’s token, which is refreshed in time, and get none after the user signs out', async () => {
  const desk = await openDesk({ service: { tokenLifetime: 5 } })
  const app = await desk.start()
  const window = await app.open()
  await expect.poll(async () => (await latchkey(desk, ['token'])).code).toBe(3)

  await window.signIn(ANA)
  const first = await latchkey(desk, ['token'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(desk.service.issuedSecrets()).toContain(first.stdout.trim())

  await expect.poll(async () => (await latchkey(desk, ['token'])).stdout, { timeout: 10_000 }).not.toBe(first.stdout)
  expect((await latchkey(desk, ['exec', '--', 'sh', '-c', 'test -n "$ACCESS_TOKEN"'])).code).toBe(0)

  await window.signOut()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 3, stdout: '' })
  await app.quit()
  await expect(latchkey(desk, ['token'])).resolves.toMatchObject({ code: 2, stdout: '' })
})

it('only the user can use the socket', async () => {
  const desk = await openDesk()
  const app = await desk.start()
  await (await app.open()).signIn(ANA)
  const { mode, uid } = statSync(socketOf(desk))
  expect(mode & 0o777).toBe(0o600)
  expect(uid).toBe(ordinaryUser()?.uid ?? process.getuid?.())
  expect(statSync(desk.dataFolder).mode & 0o077).toBe(0)
})

it('tools keep getting tokens after a password change in the window', async () => {
  const desk = await openDesk({ service: { revokeOnPasswordChange: true } })
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.button('Change password').click()
  await window.tryChangePassword({ current: ANA.password, next: 'a longer quiet harbour' })
  await window.says('Password changed.')
  await window.signedIn.waitFor()
  const { code, stdout } = await latchkey(desk, ['token'])
  expect(code).toBe(0)
  expect(desk.service.issuedSecrets()).toContain(stdout.trim())
})

/**
 * A tool that constantly requests tokens through the Python library. The tool prints a line for each new token, and all
 * failures at the end.
 */
const ASK_ON_AND_ON = `
import collections, sys, threading, time
from latchkey_desktop import LatchkeyError, token
tokens, failed, over, lock = set(), collections.Counter(), threading.Event(), threading.Lock()
def ask():
    while not over.is_set():
        try:
            new = token()
            with lock:
                if new not in tokens:
                    tokens.add(new)
                    print("has a token", flush=True)
        except LatchkeyError as error:
            failed[f"{error.code}: {error}"] += 1
        time.sleep(0.005)
askers = [threading.Thread(target=ask) for _ in range(3)]
for asker in askers: asker.start()
sys.stdin.read()
over.set()
for asker in askers: asker.join()
print(dict(failed))
`

it('no call of a tool fails while Latchkey restarts', async () => {
  const desk = await openDesk()
  const app = await desk.start()
  await (await app.open()).signIn(ANA)
  const packages = path.join(desk.home, 'packages')
  cpSync(path.join(ROOT, 'clients/python/latchkey_desktop'), path.join(packages, 'latchkey_desktop'), {
    recursive: true,
  })
  const env = { PATH: '/usr/bin:/bin', PYTHONPATH: packages, LATCHKEY_SOCKET: socketOf(desk) }
  const tool = spawn('python3', ['-c', ASK_ON_AND_ON], { env, cwd: '/', ...ordinaryUser() })
  onTestFinished(() => void tool.kill('SIGKILL'))
  const lines = createInterface({ input: tool.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  expect(await next()).toBe('has a token')
  await app.quit()
  // The keychain is slow. Until it answers, the agent runs, but the session is not restored yet.
  const keychain = desk.keyring.pids.at(-1) ?? 0
  process.kill(keychain, 'SIGSTOP')
  onTestFinished(() => void process.kill(keychain, 'SIGCONT'))
  await desk.start()
  await expect.poll(async () => (await latchkey(desk, ['status'])).stdout, { timeout: 10_000 }).toMatch('restoring')
  await sleep(500)
  process.kill(keychain, 'SIGCONT')
  expect(await next()).toBe('has a token')
  tool.stdin.end()
  expect(await next()).toBe('{}')
  await once(tool, 'exit')
})

it('a socket that was deleted with its folder comes back', async () => {
  const desk = await openDesk()
  const socket = path.join(desk.home, 'runtime/agent.sock')
  mkdirSync(path.dirname(socket), { mode: 0o700 })
  own(path.dirname(socket))
  const app = await desk.start({ env: { LATCHKEY_SOCKET: socket } })
  await app.open()
  await expect.poll(() => existsSync(socket)).toBe(true)
  rmSync(path.dirname(socket), { recursive: true })
  // On wake the app checks at once what it otherwise checks every 30 s.
  await app.app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
  await expect.poll(() => existsSync(socket)).toBe(true)
})
