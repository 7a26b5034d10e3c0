/** The code in docs/tools.md, run as it is printed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Desktop, TOKEN } from './desktop.ts'
import { CLI, demand, PATH, run } from './programs.ts'

const PAGE = readFileSync(path.join(CLI, '../docs/tools.md'), 'utf8')

/** What runs a piece of code: the program, its Debian package, and what a file of that language is called. */
const LANGUAGES: Record<string, { program: () => string; extension: string }> = {
  sh: { program: () => demand('sh', 'dash'), extension: 'sh' },
  bash: { program: () => demand('bash'), extension: 'bash' },
  python: { program: () => demand('python3'), extension: 'py' },
  js: { program: () => process.execPath, extension: 'mjs' },
}

interface Piece {
  /** The heading above it, and a number if there are several. */
  readonly name: string
  readonly language: string
  readonly code: string
}

const pieces: readonly Piece[] = PAGE.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'))
  const fences = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return fences.map(([, language = '', code = ''], index) => ({ name: `${heading} ${index + 1}`, language, code }))
})

const piece = (name: string): Piece => {
  const found = pieces.find((one) => one.name === name)
  if (found === undefined) throw new Error(`docs/tools.md has no piece of code ${name}`)
  return found
}

let desktop: Desktop
beforeEach(async () => {
  desktop = await Desktop.start()
})
afterEach(() => desktop.stop())

/** As on a desktop in a company: whatever is not this machine goes through a proxy (which isn't there). */
const environment = () => ({
  PATH: `${CLI}:${PATH}`,
  HOME: desktop.folder,
  LATCHKEY_SOCKET: desktop.socket,
  DATA_URL: desktop.dataUrl,
  HTTP_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
})

async function save({ name, language, code }: Piece, fileName?: string): Promise<readonly string[]> {
  const { program, extension } = LANGUAGES[language] ?? { program: () => '', extension: '' }
  const file = path.join(desktop.folder, fileName ?? `${name.replaceAll(' ', '-')}.${extension}`)
  await writeFile(file, code)
  return [program(), file]
}

/** Pieces that go on from another, which stands above them. */
const GOES_ON: Record<string, string> = { 'Python, httpx 2': 'Python, httpx 1', 'Python, httpx 3': 'Python, httpx 1' }

const start = async (one: Piece) => {
  const above = GOES_ON[one.name]
  const code = above === undefined ? one.code : piece(above).code + one.code
  return run(await save({ ...one, code }), { env: environment(), cwd: desktop.folder })
}

const MEETS_401 = ['curl 3', 'Python, standard library 1', ...Object.keys(GOES_ON), 'Node 1']
const GETS_DATA = ['curl 1', 'curl 2', ...MEETS_401]
const OTHERS = [
  ...new Set(Object.values(GOES_ON)),
  'Any other program 1',
  'Any other program 2',
  'Any other program 3',
  'A job that runs for days 1',
]

it('every piece of code on the page is tried here', () => {
  expect(pieces.map(({ name }) => name).sort()).toEqual([...GETS_DATA, ...OTHERS].sort())
})

beforeAll(async () => {
  const { code } = await run([demand('python3'), '-c', 'import httpx'], { env: { PATH } })
  if (code !== 0) throw new Error('These tests need httpx for Python: apt-get install python3-httpx')
})

describe.each(GETS_DATA)('%s', (name) => {
  it('gets the data with the current token', async () => {
    const { code, stdout, stderr } = await start(piece(name))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/["']?rows["']?: ?42/)
    expect(desktop.answers).toEqual([200])
    expect(desktop.tools).toHaveLength(1)
  })

  it('fails, and says why, where nobody is signed in', async () => {
    desktop.session.signOut()
    const { code, stdout, stderr } = await start(piece(name))
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain('Nobody is signed in. Open Latchkey and sign in.')
  })

  it('fails where Latchkey is not running', async () => {
    await desktop.stopAgent()
    const { code, stdout } = await start(piece(name))
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
  })
})

it.each(MEETS_401)('%s gets another token where the service refuses this one, once', async (name) => {
  desktop.refused = TOKEN
  const { code, stdout, stderr } = await start(piece(name))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/["']?rows["']?: ?42/)
  expect(desktop.answers).toEqual([401, 200])
  expect(desktop.session.renewals).toBe(1)
})

it('a program that takes its token from the environment runs with latchkey exec', async () => {
  await save(piece('Any other program 1'), 'report.py')
  const { code, stdout, stderr } = await start(piece('Any other program 2'))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('"rows":42')
  expect(desktop.answers).toEqual([200])
})

it('a program that can run another asks with latchkey token', async () => {
  const one = piece('Any other program 3')
  const { code, stdout, stderr } = await start({ ...one, code: `${one.code}print(repr(token))\n` })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `'${TOKEN}'\n`, stderr: '' })
})

it('a job that listens to events waits for a sign-in, and learns of each new token, also after a restart', async () => {
  desktop.session.signOut()
  desktop.oldTokensServe = true
  const [program = '', ...args] = await save(piece('A job that runs for days 1'))
  const job = spawn(program, args, { env: environment(), cwd: desktop.folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(job, 'exit')
  const lines = createInterface({ input: job.stdout })[Symbol.asyncIterator]()
  const fetched = async (name: string): Promise<unknown> => {
    job.stdin.write(`${name}\n`)
    return JSON.parse((await lines.next()).value ?? 'null')
  }
  const learnsOfNewToken = async () => {
    while (desktop.lastToken !== desktop.token) await fetched('again')
  }
  try {
    const first = fetched('first')
    desktop.session.hold(TOKEN)
    expect(await first).toEqual({ path: '/tables/first', rows: 42 })
    desktop.session.renew()
    await learnsOfNewToken()
    await desktop.stopAgent()
    desktop.session.renew()
    await desktop.startAgent()
    await learnsOfNewToken()
    expect(desktop.answers).not.toContain(401)
    job.stdin.end()
    expect(await exited).toEqual([0, null])
  } finally {
    job.kill('SIGKILL')
  }
})
