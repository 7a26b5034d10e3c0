/** What only the Python library does. */
import { beforeEach, describe, expect, test } from 'vitest'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { httpServer } from '../support/local-servers.ts'
import { PYTHON_LIBRARY, runPython } from './languages.ts'

let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
})

const python = (code: string, env: Record<string, string> = {}) => runPython(code, { ...desktop.env, ...env })

const withHttp = (code: string, env: Record<string, string> = {}) =>
  python(
    `
import asyncio, io, os, sys
import httpx, requests
from latchkey_desktop import HttpxAuth, LatchkeyError, RequestsAuth, rejected, token
url = os.environ["DATA_URL"]
${code}`,
    env,
  )

test('importing the package needs nothing but the standard library', async () => {
  const blocked = ['requests', 'httpx', 'sqlalchemy', 'keyring'].map((name) => `sys.modules["${name}"] = None`)
  const code = `import sys\n${blocked.join('\n')}\nfrom latchkey_desktop import *\nprint(token())`
  expect(await python(code)).toEqual([TOKEN])
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
  const told = await python(`
from latchkey_desktop import LatchkeyError
from latchkey_desktop.origins import check_allowed
for own in ["https://ana:hunter2@[", "https://ana:hunter2"]:
    try: check_allowed("https://data.example.com", own, frozenset(), lambda _: None)
    except LatchkeyError as error: print(error)`)
  expect(told).toEqual(Array(2).fill(expect.stringContaining('only to no host. Name another server in hosts')))
})

describe('a Follower', () => {
  test('works after a fork, and has no token once it is stopped', async () => {
    // The Follower may warn that nobody is signed in to staging, so the test turns warnings off.
    const lines = await python(`
import logging, os, threading
from latchkey_desktop import Follower, LatchkeyError
logging.getLogger("latchkey_desktop").setLevel(logging.ERROR)
def ask(follower):
    try: print(follower.token(), flush=True)
    except LatchkeyError as error: print(error.code)
follower = Follower().start()
ask(follower)
if os.fork() == 0:
    ask(follower)
    os._exit(0)
os.wait()
follower.stop()
ask(follower)
waiting = Follower("staging").start()
thread = threading.Thread(target=ask, args=[waiting])
thread.start()
waiting.stop()
thread.join()
print(thread.is_alive())`)
    expect(lines).toEqual([TOKEN, TOKEN, 'stopped', 'stopped', 'False'])
  })

  test('SECURITY: a Follower delivers no token that contains a line break', async () => {
    desktop.session.hold('a\r\nX-Header: y')
    const code = `
import logging
from latchkey_desktop import Follower, LatchkeyError
logging.getLogger("latchkey_desktop").setLevel(logging.CRITICAL)
with Follower(on_token=print) as follower:
    code = "timeout"
    while code == "timeout":
        try: print(follower.token(timeout=0.1))
        except LatchkeyError as error: code = error.code
    print(code)`
    expect(await python(code)).toEqual(['unexpected_answer'])
  })

  test('continues if on_token fails, and logs no token', async () => {
    const code = `
from latchkey_desktop import Follower
def fail(token): raise RuntimeError(token)
with Follower(on_token=fail) as follower: print(follower.token())`
    const { stdout, stderr } = await run([requireProgram('python3'), '-c', code], {
      env: { ...desktop.env, ...PYTHON_LIBRARY, PATH },
    })
    expect([stdout, stderr]).toEqual([`${TOKEN}\n`, 'on_token failed: RuntimeError\n'])
  })
})

describe('with keyring', () => {
  test('the token is the password of the connection’s entry, and errors are those of keyring', async () => {
    desktop.staging.hold('staging-token')
    // Sets Latchkey's keyring explicitly, so that the system's own keychain isn't used.
    const code = `
import keyring
from latchkey_desktop.keyring_backend import LatchkeyKeyring
keyring.set_keyring(LatchkeyKeyring())
for name in ["default", "staging"]: print(keyring.get_password("latchkey", name))
try: keyring.get_password("latchkey", "nowhere")
except keyring.errors.KeyringError as error: print(error.code)
for call in [keyring.get_password, keyring.delete_password, lambda *name: keyring.set_password(*name, "x")]:
    try: call("https://data.example.com", "ana")
    except keyring.errors.NoKeyringError as error: print(type(error).__name__)`
    const none = Array(3).fill('NoKeyringError')
    expect(await python(code)).toEqual([TOKEN, 'staging-token', 'unknown_connection', ...none])
  })

  // Latchkey's keyring must have a lower priority than every other one. The lowest in keyrings.alt is 0.5:
  // https://github.com/jaraco/keyrings.alt/blob/main/keyrings/alt/file.py
  test('other programs’ passwords are read from and written to a system keyring of low priority', async () => {
    const code = `
import keyring, keyring.backend
from latchkey_desktop.keyring_backend import LatchkeyKeyring
class System(keyring.backend.KeyringBackend):
    priority = 0.1
    passwords = {}
    def get_password(self, *name): return self.passwords.get(name)
    def set_password(self, service, user, password): self.passwords[service, user] = password
chain = keyring.get_keyring()
print(type(chain).__name__, chain.get_password("https://data.example.com", "ana"), chain.get_password("latchkey", ""))
chain.set_password("https://data.example.com", "ana", "hunter2")
print(chain.get_password("https://data.example.com", "ana"))`
    expect(await python(code)).toEqual([`ChainerBackend None ${TOKEN}`, 'hunter2'])
  })
})

describe('with requests and httpx', () => {
  test('a request body starts at the current position of its file in both attempts', async () => {
    desktop.refused = TOKEN
    await withHttp(`
file = io.BytesIO(b"header;content")
file.read(7)
requests.post(url, data=file, auth=RequestsAuth())`)
    expect([desktop.answers, desktop.lastBody]).toEqual([[401, 200], 'content'])
    desktop.refused = `${TOKEN}.1`
    await withHttp(`
async def main():
    async with httpx.AsyncClient(auth=HttpxAuth()) as api:
        await api.post(url, files={"file": ("a.txt", io.BytesIO(b"content")), "text": ("b.txt", "text")})
asyncio.run(main())`)
    expect(desktop.answers).toEqual([401, 200, 401, 200])
    expect(desktop.lastBody).toContain('content')
  })

  test('a request whose file can’t be rewound is sent once, and its token is reported as rejected', async () => {
    desktop.refused = TOKEN
    const lines = await withHttp(`
class Pipe(io.RawIOBase):
    def __init__(self): self.left = [b"content", b""]
    def readable(self): return True
    def read(self, size=-1): return self.left.pop(0) if self.left else b""
for body in [{"files": {"file": Pipe()}}, {"content": Pipe()}]:
    print(httpx.post(url, auth=HttpxAuth(), **body).status_code)`)
    expect(lines).toEqual(['401', '200'])
  })

  test('SECURITY: a pickled request or response has no token, and a copied request works, but not through a proxy', async () => {
    const lines = await withHttp(`
import copy, pickle
prepared = requests.Request("GET", url, auth=RequestsAuth()).prepare()
with requests.Session() as session:
    for each in [session.send(prepared), prepared]:
        print(token().encode() in pickle.dumps(each))
    for again in [pickle.loads(pickle.dumps(prepared)), copy.deepcopy(prepared)]:
        print(session.send(again).status_code)
        try: session.send(again, proxies={"http": url.replace("127.0.0.1", "127.0.0.2")})
        except LatchkeyError as error: print(error.code)
with httpx.Client(auth=HttpxAuth()) as client:
    response = client.get(url)
    for each in [response, response.request]: print(token().encode() in pickle.dumps(each))`)
    expect(lines).toEqual(['False', 'False', ...['200', 'unencrypted'], ...['200', 'unencrypted'], 'False', 'False'])
  })

  test('an auth object works in a spawned process, and in one that is forked while threads request tokens', async () => {
    const lines = await withHttp(`
import multiprocessing, pathlib, runpy, tempfile, threading
folder = tempfile.mkdtemp()
pathlib.Path(folder, "job.py").write_text("import requests\\ndef get(each): return requests.get(each[0], auth=each[1]).status_code\\n")
sys.path.insert(0, folder)
import job
if __name__ == "__main__":
    auth = RequestsAuth()
    token()
    ending = threading.Event()
    def ask():
        while not ending.is_set(): token()
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads: thread.start()
    for method in ["spawn", "fork"]:
        with multiprocessing.get_context(method).Pool(4) as pool: print(set(pool.map(job.get, [(url, auth)] * 8)))
    ending.set()
    for thread in threads: thread.join()`)
    expect(lines).toEqual(['{200}', '{200}'])
  })

  test('an error of Latchkey is an error of the HTTP library, too, and can be pickled', async () => {
    desktop.session.signOut()
    const lines = await withHttp(`
import pickle
for call, kind in [
    (lambda: requests.get(url, auth=RequestsAuth()), requests.RequestException),
    (lambda: httpx.get(url, auth=HttpxAuth()), httpx.HTTPError),
]:
    try: call()
    except kind as error:
        again = pickle.loads(pickle.dumps(error))
        print(isinstance(error, LatchkeyError), again.code, again)`)
    expect(lines).toEqual(Array(2).fill('True signed_out You are not signed in. Open Latchkey and sign in.'))
  })

  test('SECURITY: an auth class in place of an auth object is refused, and nothing is sent', async () => {
    const lines = await withHttp(`
for call in [lambda: requests.get(url, auth=RequestsAuth), lambda: httpx.get(url, auth=HttpxAuth)]:
    try: call()
    except TypeError as error: print(error)`)
    const sentence = (name: string) => `the connection is a name. Without one, write auth=${name}(), with brackets.`
    expect(lines).toEqual([sentence('RequestsAuth'), sentence('HttpxAuth')])
    expect(desktop.answers).toEqual([])
  })

  test.each([
    ['requests', 'requests.get(data, auth=RequestsAuth(hosts=[data])).status_code'],
    ['httpx', 'httpx.get(data, auth=HttpxAuth(hosts=[data])).status_code'],
    ['httpx with trio', 'trio.run(fetch)'],
  ])('SECURITY: the body of a response with 401 isn’t read, because it could be endless: %s', async (_, call) => {
    let sent = 0
    const { port, stop } = await httpServer((request, response) => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return response.end('done')
      response.writeHead(401)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent++
      }
      response.on('drain', more)
      return more()
    })
    const lines = await withHttp(`
import trio
data = "http://127.0.0.1:${port}"
async def fetch():
    async with httpx.AsyncClient(auth=HttpxAuth(hosts=[data])) as api: return (await api.get(data)).status_code
print(${call})`)
    stop()
    expect(lines).toEqual(['200'])
    // `sent` counts blocks of 64 KiB. The system's buffers take some megabytes, although Python reads nothing.
    expect(sent).toBeLessThan(1_000)
  })

  test('while Latchkey doesn’t answer, a cancelled request ends at once, and nothing keeps the program running', async () => {
    const lines = await withHttp(`
import socket, tempfile
import latchkey_desktop.transport
latchkey_desktop.transport.TIMEOUT_S = 1_000
deaf = socket.socket(socket.AF_UNIX)
os.environ["LATCHKEY_SOCKET"] = tempfile.mkdtemp() + "/agent.sock"
deaf.bind(os.environ["LATCHKEY_SOCKET"])
deaf.listen()
async def main():
    async with httpx.AsyncClient(auth=HttpxAuth()) as api:
        try: await asyncio.wait_for(api.get(url), 0.3)
        except asyncio.TimeoutError: print("cancelled", flush=True)
asyncio.run(main())
print("ended", flush=True)
deaf.close()`)
    expect(lines).toEqual(['cancelled', 'ended'])
  })
})
