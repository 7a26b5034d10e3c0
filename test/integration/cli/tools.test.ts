/** The code in docs/tools.md, run as it is printed. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Desktop, TOKEN } from './desktop.ts'
import { GOES_ON, LANGUAGES, type Piece, piece, pieces, whole } from './pieces.ts'
import { CLI, demand, PATH, run } from './programs.ts'

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

const start = async (one: Piece) => run(await save(whole(one)), { env: environment(), cwd: desktop.folder })

const MEETS_401 = ['curl 3', 'Python, standard library 2', 'Python, httpx 2', 'Python, httpx 3', 'Node 1']
const GETS_DATA = ['curl 1', 'curl 2', ...MEETS_401]
const JOB = 'A job that runs for days 1'
const OTHERS = [
  ...['Any other program 1', 'Any other program 2', 'Any other program 3', JOB],
  ...new Set(Object.values(GOES_ON)),
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
  const anHour = 3_600_000
  desktop.session.hold(TOKEN, 0, anHour)
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

describe('a job that listens to events', () => {
  let job: ChildProcessWithoutNullStreams
  let exited: Promise<unknown[]>
  let lines: AsyncIterator<string>
  let complaints: AsyncIterator<string>
  const startJob = async (one: Piece) => {
    const [program = '', ...args] = await save(whole(one))
    job = spawn(program, args, { env: environment(), cwd: desktop.folder })
    exited = once(job, 'exit')
    lines = createInterface({ input: job.stdout })[Symbol.asyncIterator]()
    complaints = createInterface({ input: job.stderr })[Symbol.asyncIterator]()
  }
  afterEach(() => job.kill('SIGKILL'))

  const fetched = async (name: string): Promise<unknown> => {
    job.stdin.write(`${name}\n`)
    return JSON.parse((await lines.next()).value ?? 'null')
  }
  const learnsOfNewToken = async () => {
    while (desktop.lastToken !== desktop.token) await fetched('again')
  }

  it('waits for a sign-in, and learns of each new token, also after a restart', async () => {
    desktop.session.signOut()
    desktop.oldTokensServe = true
    await startJob(piece(JOB))
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
  })

  it('gets another token where the service refuses this one, once', async () => {
    desktop.refused = TOKEN
    await startJob(piece(JOB))
    expect(await fetched('first')).toEqual({ path: '/tables/first', rows: 42 })
    expect(desktop.answers).toEqual([401, 200])
    expect(desktop.session.renewals).toBe(1)
  })

  it('says why it waits', async () => {
    const one = piece(JOB)
    const impatient = one.code.replace('lambda: self.current, 10)', 'lambda: self.current, 0.1)')
    expect(impatient).not.toBe(one.code)
    const says = async (sentence: string) => {
      for (;;) if (String((await complaints.next()).value).includes(sentence)) return
    }
    await desktop.stopAgent()
    desktop.session.signOut()
    await startJob({ ...one, code: impatient })
    const first = fetched('first')
    await says('Waiting for a token: Latchkey does not answer: ')
    await desktop.startAgent()
    await says('Waiting for a token: Nobody is signed in. Open Latchkey and sign in.')
    desktop.session.hold(TOKEN)
    expect(await first).toEqual({ path: '/tables/first', rows: 42 })
  })
})
