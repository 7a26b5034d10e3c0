import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { EOL } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { MODES, posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { accessToken, password, refreshToken, Secret } from '../base/secret.ts'
import { LARGEST_FILE, logFile, whyUnwritable } from './files.ts'
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
/** The fields of a line of 3 KB. */
const long = Object.fromEntries(Array.from('abcdefg', (name) => [name, 'ab '.repeat(150)]))
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a line is on the disk when the call returns, as it is, and not on the console, whose output others record', () => {
  open().info('app.started', { value: '%c %s %%', other: 'color: red' })
  expect(all()).toBe(`2026-03-01T12:00:00.000Z info  app.started value="%c %s %%" other="color: red"${EOL}`)
  for (const spy of onConsole) expect(spy).not.toHaveBeenCalled()
})

test('SECURITY: only the owner can read the log, even one of an earlier run', posixOnly(MODES), () => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  writeFileSync(logFile(folder, 0), 'before\n')
  chmodSync(logFile(folder, 0), 0o644)
  const log = open()
  for (let index = 0; index < 700; index++) log.info('a', long)
  expect(files().length).toBeGreaterThan(1)
  for (const name of files()) expect(modeOf(join(folder, name))).toBe('600')
  expect(modeOf(folder)).toBe('700')
})

describe('the log has a maximum size', () => {
  test('after 6 MB of lines, only the newest are kept, in five files of 1 MiB', async () => {
    const log = open()
    for (let index = 0; index < 2_000; index++) log.info('a', { index, ...long })
    expect(files()).toEqual(['latchkey.1.log', 'latchkey.2.log', 'latchkey.3.log', 'latchkey.4.log', 'latchkey.log'])
    for (const name of files()) expect(statSync(join(folder, name)).size).toBeLessThan(LARGEST_FILE + 1_000)
    expect(all()).not.toContain('index=0 ')
    const lines = await log.tail(400)
    expect(lines).toHaveLength(400)
    expect(lines[0]).toContain('index=1600 ')
    expect(lines.at(-1)).toContain('index=1999 ')
  })

  test('even if a file can’t be renamed', () => {
    for (const age of [3, 4]) mkdirSync(join(logFile(folder, age), 'held'), { recursive: true })
    const log = open()
    for (let index = 0; index < 500; index++) log.info('a', long)
    expect(statSync(logFile(folder, 0)).size).toBeLessThan(LARGEST_FILE + 1_000)
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
const error = Object.assign(new Error(`refused ${JWT}`), { options: request })

test.each<[string, LogFields, string?]>([
  ['a Secret in a template', { text: `${secrets.jwt} ${secrets.opaque} ${secrets.word}` }],
  ['a Secret with a lie for its kind', { text: new Secret('hint', 'hunter2') }],
  ['an error', { error } as unknown as LogFields],
  ['a revealed token', { text: `sent ${secrets.jwt.reveal()}`, other: OPAQUE }],
  ['a revealed token that is cut', { text: `${'x '.repeat(1_990)}${JWT}`, other: `${'y'.repeat(480)}${JWT}` }],
  ['a request’s text', { text: JSON.stringify(request) }],
  ['a token as a field’s name', { [JWT]: 1, [OPAQUE]: 'x' }],
  ['an event’s name', {}, `token ${JWT} and ${OPAQUE}`],
])('SECURITY: no secret reaches the log through %s', (_, fields, event = 'test') => {
  open().error(event, fields)
  expect(all().trim().split('\n')).toHaveLength(1)
  for (const leak of LEAKS) expect(all()).not.toContain(leak)
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
