import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { EOL } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import got from 'got'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { MODES, posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { accessToken, password, refreshToken, Secret } from '../base/secret.ts'
import { LARGEST_FILE, logFile, MOST_FILES, whyUnwritable } from './files.ts'
import type { LogFields } from './log.ts'
import { openLog } from './log-file.ts'

// When electron-log is imported, it takes over the console, so `vi.hoisted` sets up the spies first.
const onConsole = vi.hoisted(() =>
  (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name)),
)

const clock = { wall: () => Date.parse('2026-03-01T12:00:00Z') }

let home: string
let folder: string
beforeEach(() => {
  printed.length = 0
  home = temporaryFolder()
  folder = join(home, 'state', 'latchkey')
})

const printed: string[] = []
const open = () => openLog({ folder, clock, print: (line) => printed.push(line) })
const files = () => readdirSync(folder).sort()
const all = () =>
  files()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a line is on the disk when the call returns', () => {
  open().info('app.started', { version: '1.2.3' })
  expect(all()).toBe(`2026-03-01T12:00:00.000Z info  app.started version=1.2.3${EOL}`)
})

test('text that looks like a style or a placeholder is written unchanged', () => {
  open().info('a', { value: '%c %s %d %o %%', other: 'color: red' })
  expect(all()).toContain('value="%c %s %d %o %%" other="color: red"')
})

test('nothing is printed on the console, whose output others may record', () => {
  const log = open()
  log.error('a')
  log.info('b')
  for (const spy of onConsole) expect(spy).not.toHaveBeenCalled()
})

describe('only the owner can read the log', posixOnly(MODES), () => {
  test('each file gets mode 600: new, rotated, or left from an earlier run', () => {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    writeFileSync(logFile(folder, 0), 'before\n')
    chmodSync(logFile(folder, 0), 0o644)
    const log = open()
    for (let index = 0; index < 5_000; index++) log.info('a', { value: 'ab '.repeat(150) })
    expect(files().length).toBeGreaterThan(1)
    for (const name of files()) expect(modeOf(join(folder, name))).toBe('600')
    expect(modeOf(folder)).toBe('700')
  })
})

describe('the log has a maximum size', () => {
  test('after 6 MB of lines, only the newest are kept, in five files of 1 MiB', () => {
    const log = open()
    for (let index = 0; index < 14_000; index++) log.info('a', { index, value: 'ab '.repeat(150) })
    expect(files()).toEqual(['latchkey.1.log', 'latchkey.2.log', 'latchkey.3.log', 'latchkey.4.log', 'latchkey.log'])
    expect(files()).toHaveLength(MOST_FILES)
    for (const name of files()) expect(statSync(join(folder, name)).size).toBeLessThan(LARGEST_FILE + 1_000)
    expect(readFileSync(logFile(folder, 0), 'utf8')).toContain('index=13999 ')
    expect(all()).not.toContain('index=0 ')
  })

  test('the maximum size also applies if a file can’t be renamed', () => {
    mkdirSync(join(logFile(folder, 1), 'held'), { recursive: true })
    mkdirSync(join(logFile(folder, 2), 'held'), { recursive: true })
    const log = open()
    for (let index = 0; index < 6_000; index++) log.info('a', { index, value: 'ab '.repeat(150) })
    expect(statSync(logFile(folder, 0)).size).toBeLessThan(LARGEST_FILE + 1_000)
    expect(readFileSync(logFile(folder, 0), 'utf8')).toContain('index=5999 ')
  })
})

test('if nothing can be written, the log says why, and no call throws', async () => {
  writeFileSync(join(home, 'state'), 'a file where a folder should be')
  const log = open()
  log.info('a')
  expect(log.problem).toBe('ENOTDIR')
  expect(whyUnwritable(folder)).toBe('ENOTDIR')
  expect(await log.tail(5)).toEqual([])
  rmSync(join(home, 'state'))
  expect(whyUnwritable(folder)).toBeUndefined()
  expect(existsSync(join(home, 'state'))).toBe(false)
  expect(open().problem).toBeUndefined()
})

test('the tail of the log has the last lines of all files, the oldest first', async () => {
  const log = open()
  for (let index = 0; index < 5_000; index++) log.info('a', { index, value: 'ab '.repeat(150) })
  const lines = await log.tail(3_000)
  expect(lines).toHaveLength(3_000)
  expect(lines[0]).toContain('index=2000 ')
  expect(lines.at(-1)).toContain('index=4999 ')
})

describe('no secret reaches the log', () => {
  const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJlLW9mLWl0'
  const OPAQUE = 'Xk29fLq8ZrT4mN7vB1cD5wE6'
  const PASSWORD = 'correct horse "battery" staple'
  const BASIC = Buffer.from(`ana:${PASSWORD}`).toString('base64')
  const LEAKS = [JWT, OPAQUE, PASSWORD, 'battery', BASIC, 'c2lnbmF0dXJlLW9mLWl0', 'hunter2']

  const secrets = { jwt: accessToken(JWT), opaque: refreshToken(OPAQUE), word: password(PASSWORD) }
  const request = {
    headers: { authorization: `Bearer ${JWT}`, 'proxy-authorization': `Basic ${BASIC}` },
    json: { refreshToken: OPAQUE, password: PASSWORD, client_secret: 'hunter2' },
  }
  const error = Object.assign(new Error(`refused ${JWT}`, { cause: new Error(`of http://ana:hunter2@proxy.test`) }), {
    options: request,
  })

  /** Casts the fields, so that they bypass the types. */
  const forced = (fields: unknown) => fields as LogFields
  const refused = async () => {
    const failing = got('http://127.0.0.1:9/', { ...request, method: 'POST', retry: { limit: 0 } })
    return failing.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  }

  const ways: [string, (gotError: unknown) => LogFields, string?][] = [
    ['a Secret in a template', () => ({ text: `${secrets.jwt} ${secrets.opaque} ${secrets.word}` })],
    ['a Secret as JSON', () => ({ text: JSON.stringify(secrets) })],
    ['a Secret that was inspected', () => ({ text: inspect({ secrets }, { showHidden: true, depth: 9 }) })],
    ['a Secret with a lie for its kind', () => ({ text: new Secret('hint', 'hunter2') })],
    ['an error', () => forced({ error })],
    ['an error’s text', () => ({ message: error.message, cause: String(error.cause), stack: error.stack ?? '' })],
    ['an error, inspected whole', () => ({ text: inspect(error, { depth: 9 }) })],
    ['an error as JSON', () => ({ text: JSON.stringify({ ...error }) })],
    ['an HTTP error', (gotError) => forced({ gotError })],
    ['an HTTP error, inspected whole', (gotError) => ({ text: inspect(gotError, { depth: 9, showHidden: true }) })],
    [
      'an HTTP error’s options',
      (gotError) => ({ text: inspect(Reflect.get(Object(gotError), 'options'), { depth: 9 }) }),
    ],
    ['a revealed token', () => ({ text: `sent ${secrets.jwt.reveal()}`, other: OPAQUE })],
    [
      'a revealed token that is cut',
      () => ({ text: `${'x '.repeat(1_990)}${JWT}`, other: `${'y'.repeat(480)}${JWT}` }),
    ],
    ['a header', () => ({ text: `Authorization: Basic ${BASIC}`, raw: `Basic ${BASIC}` })],
    ['a URL', () => ({ text: `http://ana:hunter2@proxy.test:3128/?client_secret=hunter2&refresh_token=${OPAQUE}` })],
    ['a request’s text', () => ({ text: JSON.stringify(request), shown: inspect(request) })],
    ['a token as a field’s name', () => ({ [JWT]: 1, [OPAQUE]: 'x' })],
    ['an event’s name', () => ({}), `token ${JWT} and ${OPAQUE}`],
  ]

  test.each(ways.map(([way, fields, event = 'test']) => ({ way, fields, event })))(
    'through $way',
    async ({ fields, event }) => {
      const log = open()
      log.error(event, fields(await refused()))
      log.info(event, fields(await refused()))
      expect(all().trim().split('\n')).toHaveLength(2)
      for (const leak of LEAKS) expect(all()).not.toContain(leak)
      expect((await log.tail(9)).join()).not.toContain('hunter2')
    },
  )
})

test('a log that can no longer be written says so once, and goes on when it can be written again', () => {
  const log = open()
  rmSync(folder, { recursive: true })
  for (const event of ['a', 'b', 'c']) log.info(event)
  expect(printed).toEqual([`Latchkey can't write its log in ${folder} (ENOENT). It goes on without these lines.`])
  for (const spy of onConsole) expect(spy).not.toHaveBeenCalled()
  mkdirSync(folder)
  log.info('d')
  expect(all()).toContain('info  d')
})
