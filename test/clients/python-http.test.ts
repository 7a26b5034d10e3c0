/** What only the Python library does with requests and httpx. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { ROOT } from './languages.ts'

let desktop: ToolDesktop
const servers: Server[] = []
beforeEach(async () => {
  desktop = await ToolDesktop.start()
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await desktop.stop()
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function python(code: string, env: Record<string, string> = {}): Promise<string[]> {
  const { stdout, stderr } = await run(
    [requireProgram('python3'), '-W', 'error::ResourceWarning', '-c', PREAMBLE + code],
    {
      env: {
        PATH,
        HOME: desktop.folder,
        LATCHKEY_SOCKET: desktop.socket,
        DATA_URL: desktop.dataUrl,
        PYTHONPATH: path.join(ROOT, 'clients/python'),
        PYTHONDONTWRITEBYTECODE: '1',
        ...env,
      },
    },
  )
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, -1)
}

const PREAMBLE = `
import asyncio, io, os, sys
import httpx, requests
from latchkey_desktop import HttpxAuth, LatchkeyError, RequestsAuth, rejected, token
url = os.environ["DATA_URL"]
`

describe('a request body', () => {
  const BODIES = [
    ['a file in `files`', 'files={"file": ("a.txt", io.BytesIO(b"content"))}'],
    ['text in `files`', 'files={"file": ("a.txt", "content")}'],
  ] as const

  test.each(BODIES)('is sent again by httpx with asyncio if the service rejects the token: %s', async (_, body) => {
    desktop.refused = TOKEN
    const lines = await python(`
async def main():
    async with httpx.AsyncClient(auth=HttpxAuth()) as api: print((await api.post(url, ${body})).status_code)
asyncio.run(main())`)
    expect(lines).toEqual(['200'])
    expect(desktop.lastBody).toContain('content')
  })

  test('starts at the current position of its file in both attempts', async () => {
    desktop.refused = TOKEN
    const lines = await python(`
file = io.BytesIO(b"header;content")
print(httpx.post(url, content=file, auth=HttpxAuth()).status_code)`)
    expect(lines).toEqual(['200'])
    expect([desktop.answers, desktop.lastBody]).toEqual([[401, 200], 'header;content'])
    desktop.refused = `${TOKEN}.1`
    await python(`
file = io.BytesIO(b"header;content")
file.read(7)
requests.post(url, data=file, auth=RequestsAuth())`)
    expect([desktop.answers, desktop.lastBody]).toEqual([[401, 200, 401, 200], 'content'])
  })

  test('is sent only once if its file can’t be rewound, and the token is reported as rejected', async () => {
    desktop.refused = TOKEN
    const lines = await python(`
class Pipe(io.RawIOBase):
    def __init__(self): self.left = [b"content", b""]
    def readable(self): return True
    def read(self, size=-1): return self.left.pop(0) if self.left else b""
for post in [lambda: httpx.post(url, files={"file": Pipe()}, auth=HttpxAuth()),
             lambda: httpx.post(url, content=Pipe(), auth=HttpxAuth())]:
    print(post().status_code)`)
    expect(lines).toEqual(['401', '200'])
  })
})

describe('copies', () => {
  test('SECURITY: a pickled request or response has no token, and a copied request works, but not through a proxy', async () => {
    const lines = await python(`
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
    const lines = await python(`
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
})

describe('errors', () => {
  test('an error of Latchkey is an error of the HTTP library, too, and can be pickled', async () => {
    desktop.session.signOut()
    const lines = await python(`
import pickle
for call, kind in [
    (lambda: requests.get(url, auth=RequestsAuth()), requests.RequestException),
    (lambda: requests.get("https://other.example.com", auth=RequestsAuth()), requests.RequestException),
    (lambda: httpx.get(url, auth=HttpxAuth()), httpx.HTTPError),
]:
    try: call()
    except kind as error:
        again = pickle.loads(pickle.dumps(error))
        print(isinstance(error, LatchkeyError), again.code, again)`)
    expect(lines).toEqual(Array(3).fill('True signed_out You are not signed in. Open Latchkey and sign in.'))
  })

  test.each(['requests.get(url, auth=RequestsAuth)', 'httpx.get(url, auth=HttpxAuth)'])(
    'SECURITY: an auth class in place of an auth object is refused, and nothing is sent: %s',
    async (call) => {
      const [, name] = /auth=(\w+)/.exec(call) ?? []
      const lines = await python(`
try: ${call}
except TypeError as error: print(error)`)
      expect(lines).toEqual([`the connection is a name. Without one, write auth=${name}(), with brackets.`])
      expect(desktop.answers).toEqual([])
    },
  )
})

describe('a response with 401', () => {
  test.each([
    ['requests', 'requests.get(data, auth=auth).status_code', 'RequestsAuth'],
    ['httpx', 'httpx.get(data, auth=auth).status_code', 'HttpxAuth'],
    ['httpx with asyncio', 'asyncio.run(fetch())', 'HttpxAuth'],
  ])('SECURITY: the body of a response with 401 isn’t read, because it could be endless: %s', async (_, call, auth) => {
    let sent = 0
    const data = await serve((request, response) => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return response.end('done')
      response.writeHead(401)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent++
      }
      response.on('drain', more)
      return more()
    })
    const lines = await python(
      `
data = os.environ["ENDLESS"]
auth = ${auth}(hosts=[data])
async def fetch():
    async with httpx.AsyncClient(auth=auth) as api: return (await api.get(data)).status_code
print(${call})`,
      { ENDLESS: data },
    )
    expect(lines).toEqual(['200'])
    // `sent` counts blocks of 64 KiB. The system's buffers take some megabytes, although Python reads nothing.
    expect(sent).toBeLessThan(1_000)
  })
})

describe('other ways to send', () => {
  test('HttpxAuth works with trio, and both auth classes work with retries and prepared requests', async () => {
    desktop.refused = TOKEN
    const lines = await python(`
import trio
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry
async def main():
    async with httpx.AsyncClient(auth=HttpxAuth()) as api: print((await api.post(url, content=b"x")).status_code)
trio.run(main)
with requests.Session() as session:
    session.mount("http://", HTTPAdapter(max_retries=Retry(3, status_forcelist=[503])))
    prepared = session.prepare_request(requests.Request("GET", url, auth=RequestsAuth()))
    rejected(token())
    print(session.send(prepared).status_code)
    rejected(token())
    print(session.send(prepared).status_code)`)
    expect(lines).toEqual(['200', '200', '200'])
  })

  test('while Latchkey doesn’t answer, a cancelled request ends at once, and nothing keeps the program running', async () => {
    const lines = await python(`
import socket, tempfile, trio
import latchkey_desktop.transport
latchkey_desktop.transport.TIMEOUT_S = 1_000
deaf = socket.socket(socket.AF_UNIX)
os.environ["LATCHKEY_SOCKET"] = tempfile.mkdtemp() + "/agent.sock"
deaf.bind(os.environ["LATCHKEY_SOCKET"])
deaf.listen()
async def main():
    async with httpx.AsyncClient(auth=HttpxAuth()) as api:
        try: await asyncio.wait_for(api.get(url), 0.3)
        except asyncio.TimeoutError: print("asyncio", flush=True)
async def other():
    with trio.move_on_after(0.3):
        async with httpx.AsyncClient(auth=HttpxAuth()) as api: await api.get(url)
    print("trio", flush=True)
trio.run(other)
asyncio.run(main())
print("ended", flush=True)
deaf.close()`)
    expect(lines).toEqual(['trio', 'asyncio', 'ended'])
  })
})
