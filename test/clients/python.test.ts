/** What only the Python library does, apart from requests and httpx. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { ROOT } from './languages.ts'

let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
})
afterEach(() => desktop.stop())

const environment = () => ({
  PATH,
  HOME: desktop.folder,
  LATCHKEY_SOCKET: desktop.socket,
  PYTHONPATH: path.join(ROOT, 'clients/python'),
  PYTHONDONTWRITEBYTECODE: '1',
})

async function python(code: string, env: Record<string, string> = {}): Promise<string[]> {
  const { stdout, stderr } = await run([requireProgram('python3'), '-W', 'error::ResourceWarning', '-c', code], {
    env: { ...environment(), ...env },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, -1)
}

test('importing the package needs nothing but the standard library', async () => {
  const blocked = ['requests', 'httpx', 'sqlalchemy', 'keyring'].map(
    (name) => `sys.modules[${JSON.stringify(name)}] = None`,
  )
  expect(await python(`import sys\n${blocked.join('\n')}\nfrom latchkey_desktop import *\nprint(token())`)).toEqual([
    TOKEN,
  ])
})

test('SECURITY: a traceback that prints a TokenAnswer shows no token', async () => {
  const lines = await python('from latchkey_desktop.agent import default_agent\nprint(default_agent.token())')
  expect(lines.join()).toMatch(/^TokenAnswer\(expires_at=\d+, account='ana', origin='http:/)
  expect(lines.join()).not.toContain(TOKEN)
})

test('Latchkey lists the tool by the name in LATCHKEY_TOOL, without line breaks', async () => {
  await python('import latchkey_desktop; latchkey_desktop.token()', { LATCHKEY_TOOL: 'Übersicht\r\nX: y' })
  expect(desktop.tools).toEqual(['Übersicht X: y'])
})

test('SECURITY: if the agent’s answer has an invalid origin, no host gets the token, and no error shows the origin', async () => {
  const code = `
from latchkey_desktop import LatchkeyError
from latchkey_desktop.origins import check_allowed
for own in ["https://ana:hunter2@[", "https://ana:hunter2"]:
    try: check_allowed("https://data.example.com", own, frozenset(), lambda _: None)
    except LatchkeyError as error: print(error)`
  const sentence =
    "The token isn't sent to https://data.example.com, only to no host. Name another server in hosts to send it there."
  expect(await python(code)).toEqual([sentence, sentence])
})

describe('a Follower', () => {
  test('has no token once it is stopped, and a waiting thread gets an error', async () => {
    // Until the Follower is stopped, it may warn that nobody is signed in to staging, so the test turns warnings off.
    const code = `
import logging, threading
from latchkey_desktop import Follower, LatchkeyError
logging.getLogger("latchkey_desktop").setLevel(logging.ERROR)
def ask(follower):
    try: print(follower.token())
    except LatchkeyError as error: print(error.code)
with Follower() as follower: ask(follower)
ask(follower)
waiting = Follower("staging").start()
thread = threading.Thread(target=ask, args=[waiting])
thread.start()
waiting.stop()
thread.join(5)
print(thread.is_alive())`
    expect(await python(code)).toEqual([TOKEN, 'stopped', 'stopped', 'False'])
  })

  test('keeps working after a restart of Latchkey, and after a fork', async () => {
    const ran = python(`
import os, sys, time
from latchkey_desktop import Follower
follower = Follower().start()
before = follower.token()
while follower.token() == before: time.sleep(0.02)
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, follower.token().encode())
    os._exit(0)
os.wait()
print(before, follower.token(), os.read(read, 1000).decode())`)
    while (desktop.tools.length === 0) await sleep(20)
    await desktop.stopAgent()
    desktop.session.refresh()
    await desktop.startAgent()
    expect(await ran).toEqual([`${TOKEN} ${TOKEN}.1 ${TOKEN}.1`])
  })

  test('SECURITY: a Follower delivers no token that contains a line break', async () => {
    desktop.session.hold('a\r\nX-Header: y')
    const code = `
import logging
from latchkey_desktop import Follower, LatchkeyError
logging.getLogger("latchkey_desktop").setLevel(logging.CRITICAL)
with Follower(on_token=print) as follower:
    try: print(follower.token(timeout=1))
    except LatchkeyError as error: print(error.code)`
    expect(await python(code)).toEqual(['unexpected_answer'])
  })

  test('continues if on_token fails, and logs no token', async () => {
    const job = spawn(requireProgram('python3'), ['-c', FAILING_CALLBACK], { env: environment() })
    const lines = createInterface({ input: job.stdout })[Symbol.asyncIterator]()
    let errors = ''
    job.stderr.on('data', (chunk) => (errors += chunk))
    expect((await lines.next()).value).toBe(TOKEN)
    desktop.session.refresh()
    expect((await lines.next()).value).toBe(`${TOKEN}.1`)
    const ended = once(job, 'close')
    job.stdin.end()
    await ended
    expect(errors).toBe('on_token failed: RuntimeError\n'.repeat(2))
  })
})

const FAILING_CALLBACK = `
import sys
from latchkey_desktop import Follower
def fail(token):
    print(token, flush=True)
    raise RuntimeError(token)
with Follower(on_token=fail):
    sys.stdin.read()`

describe('with keyring', () => {
  // Sets Latchkey's keyring explicitly, so that the system's own keychain isn't used.
  const KEYRING = `
import keyring
from latchkey_desktop.keyring_backend import LatchkeyKeyring
keyring.set_keyring(LatchkeyKeyring())
`

  test('the token is the password of the connection’s entry', async () => {
    desktop.staging.hold('staging-token')
    const code = `${KEYRING}
for name in ["default", "staging"]: print(keyring.get_password("latchkey", name))`
    expect(await python(code)).toEqual([TOKEN, 'staging-token'])
  })

  test('if the system has no keyring, a call for another program’s entry raises NoKeyringError', async () => {
    const code = `${KEYRING}
import os
for call in [keyring.get_password, keyring.delete_password, lambda *name: keyring.set_password(*name, "x")]:
    try: call("https://data.example.com", "ana")
    except keyring.errors.NoKeyringError as error: print(type(error).__name__)`
    expect(await python(code)).toEqual(Array(3).fill('NoKeyringError'))
  })

  // Latchkey's keyring must have a lower priority than every other one. The lowest in keyrings.alt is 0.5:
  // https://github.com/jaraco/keyrings.alt/blob/main/keyrings/alt/file.py
  test.each([5, 0.1])(
    'other programs’ passwords are read from and written to a system keyring of priority %d',
    async (priority) => {
      const code = `
import keyring, keyring.backend
from keyring.backends.chainer import ChainerBackend
from latchkey_desktop.keyring_backend import LatchkeyKeyring
class System(keyring.backend.KeyringBackend):
    priority = ${priority}
    passwords = {}
    def get_password(self, *name): return self.passwords.get(name)
    def set_password(self, service, user, password): self.passwords[service, user] = password
chain = keyring.get_keyring()
print(type(chain).__name__, chain.get_password("https://data.example.com", "ana"), chain.get_password("latchkey", ""))
chain.set_password("https://data.example.com", "ana", "hunter2")
print(chain.get_password("https://data.example.com", "ana"))`
      expect(await python(code)).toEqual([`ChainerBackend None ${TOKEN}`, 'hunter2'])
    },
  )

  test('an error of Latchkey is an error of keyring, too', async () => {
    desktop.session.signOut()
    const code = `${KEYRING}
try: keyring.get_password("latchkey", "default")
except keyring.errors.KeyringError as error: print(error.code)`
    expect(await python(code)).toEqual(['signed_out'])
  })
})
