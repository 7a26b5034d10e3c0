import { expect, test } from 'vitest'
import { collect, wellPorts } from '../../test/support/healthy-desktop.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { exitCodeOf, type LineState } from './line.ts'
import type { BrowserTarget, DiagnosticsPorts } from './ports.ts'
import { runChecks } from './run-checks.ts'

const run = (changed: Partial<DiagnosticsPorts> = {}) => collect(runChecks({ ...wellPorts(), ...changed }))
const never = () => new Promise<never>(() => {})
const provider = { kind: 'provider', url: new URL('http://127.0.0.1:2') } as const

const NETWORK = ['proxy', 'name', 'certificate', 'service', 'clock']
const CHECKED = ['versions', 'settings', 'sandbox', ...NETWORK, 'keychain', 'agent', 'tray']

test('a healthy desktop has one line for each check, and an identity provider gets lines of its own', async () => {
  const lines = await run()
  expect(lines.map(({ check }) => check)).toEqual(CHECKED)
  expect(lines.filter(({ state }) => state !== 'ok')).toEqual([])
  const asked: string[] = []
  const send: DiagnosticsPorts['send'] = async ({ url, method }) => {
    asked.push(`${method} ${url}`)
    return { ok: true, value: { status: 405, headers: {} } }
  }
  const checks = (await run({ targets: [...wellPorts().targets, provider], send })).map(({ check }) => check)
  expect(checks.toSorted()).toEqual([...CHECKED, 'proxy', 'name', 'certificate', 'provider'].sort())
  expect(asked).toEqual(['GET http://127.0.0.1:1/base/auth/login', 'GET http://127.0.0.1:2/oauth/token'])
})

const url = new URL('http://127.0.0.1:3')
const page = new URL('https://login.example.com/authorize?state=SECRET')
const sent = (value: object) => ({ check: async () => ({ ok: true, value }) })
const failing = (cause: string) => async () => ({ ok: false, failure: { code: 'unreachable', details: { cause } } })
test.each<[object, LineState, string]>([
  [sent({ kind: 'ready', page, isGuessed: false }), 'ok', 'Browser sign-in opens a page at login.example.com:443.'],
  [sent({ kind: 'refused', cause: 'invalid_scope' }), 'failed', 'invalid_scope'],
  [sent({ kind: 'errorPage', status: 404, isGuessed: true }), 'failed', 'authUrl'],
  [sent({ kind: 'ready', page, isGuessed: false, noRefresh: 'x' }), 'warning', 'refresh tokens'],
  [{ check: failing('HTTP 503') }, 'failed', '127.0.0.1:3'],
  [{ tryPort: failing('EADDRINUSE') }, 'failed', 'port'],
])('the check of a sign-in in the browser names a mistake, but no secret: %#', async (changed, state, words) => {
  const tryPort = async () => ({ ok: true, value: undefined }) as const
  const target = { url, redirectUri: 'http://127.0.0.1/callback', tryPort, isWaiting: () => false, ...changed }
  const found = (await run({ browserTargets: [target as BrowserTarget] })).find(({ check }) => check === 'browser')
  expect(found?.state).toBe(state)
  expect(`${found?.sentence} ${found?.advice}`).toContain(words)
  expect(JSON.stringify(found)).not.toContain('SECRET')
})

test('a service that never responds delays only the lines about the service and the clock', async () => {
  const time = new ManualTime()
  const lines = runChecks({ ...wellPorts(), clock: new DeadlineClock(time), send: never })
  const known: string[] = []
  const reading = (async () => {
    for await (const { check } of lines) known.push(check)
  })()
  await time.passSettling(1_000)
  expect(known).toEqual(CHECKED.filter((check) => check !== 'service' && check !== 'clock'))
  await time.passSettling(40_000)
  await reading
  expect([known.length, time.pending()]).toEqual([CHECKED.length, 0])
})

test('SECURITY: a check that throws yields a line with the error’s code, but without its message', async () => {
  const broken = Object.assign(new Error('of http://ana:hunter2@proxy.test'), { code: 'EIO' })
  const lines = await run({ proxiesFor: () => Promise.reject(broken) })
  const [{ check, sentence } = { check: '', sentence: '' }] = lines.filter(({ state }) => state === 'failed')
  expect([check, sentence]).toEqual(['proxy', 'The check could not run (EIO).'])
  expect(JSON.stringify(lines)).not.toMatch(/hunter2/)
})

test('the checks end when the caller stops reading lines', async () => {
  let signal: AbortSignal | undefined
  const lines = runChecks({
    ...wellPorts(),
    targets: [{ kind: 'service', url: new URL('https://127.0.0.1:1') }],
    routeFor: (request) => {
      signal = request.signal
      return never()
    },
  })
  for await (const _ of lines) break
  expect(signal?.aborted).toBe(true)
})

test('SECURITY: no line contains a secret or the user’s name', async () => {
  const settings = () => ({
    values: [
      { name: 'clientSecret', source: 'policy' as const },
      { name: 'baseAddress', value: 'https://data.test', source: 'user' as const },
    ],
    problems: ['/home/ana/.config/Latchkey/config.json is damaged.'],
    paths: [{ name: 'policy', path: '/home/ana/policy.json', isMissing: true }],
    variables: [{ name: 'no_proxy', value: 'a.test' }, { name: 'HTTPS_PROXY' }],
  })
  const lines = await run({ settings })
  expect(lines[1]).toMatchObject({
    sentence: '1 setting is invalid. ~/.config/Latchkey/config.json is damaged.',
    details: [
      'clientSecret: set, not shown (set by the administrator)',
      'baseAddress: https://data.test (set by the user)',
      'no_proxy: a.test (variable)',
      'HTTPS_PROXY: invalid, not shown (variable)',
      'policy: ~/policy.json (none)',
    ],
  })
  expect(JSON.stringify(lines)).not.toMatch(/\bana\b/)
})

test('checks that depend on a failed check are skipped, so that one cause is reported as one failure', async () => {
  const failing = async (url: string, resolve = wellPorts().resolve) => {
    const send = async () => ({ ok: false, failure: { code: 'unreachable' } }) as const
    const lines = await run({ targets: [{ kind: 'service', url: new URL(url) }], resolve, send })
    expect(exitCodeOf(lines)).toBe(1)
    const withState = (state: string) => lines.filter((line) => line.state === state)
    return [...withState('failed').map(({ check }) => check), ...withState('skipped').map((line) => line.sentence)]
  }
  const noName = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
  const skipped = Array(3).fill('Depends on “name”, which failed.')
  expect(await failing('https://nowhere.invalid', noName)).toEqual(['name', ...skipped])
  // The service check says why neither the service nor its certificate can be checked.
  expect(await failing('https://127.0.0.1:1')).toEqual([
    'service',
    'Depends on “service”, which failed.',
    expect.any(String),
  ])
})

const agent = 'The value of agent is invalid.'
const incomplete = [{ connection: 'staging', missing: ['scope', 'clientId'], isFlowOpen: true }]
test.each([
  [{ isPolicyFaulty: true, problems: [agent] }, 'failed', `1 setting is invalid. ${agent}`],
  [{ isPolicyUnusable: true, problems: ['x.'] }, 'failed', 'The administrator’s policy file is invalid. x.'],
  [
    { incomplete },
    'failed',
    'Single sign-on of the connection staging isn’t fully set up: scope and clientId are missing.',
  ],
  [{ useless: ['staging.scope'] }, 'warning', 'staging.scope has no effect without authUrl.'],
  [{ logProblem: 'EACCES' }, 'warning', 'All settings are valid, but the log can’t be written (EACCES).'],
])('the settings check judges invalid, incomplete and useless settings: %j', async (found, state, sentence) => {
  const settings = () => ({ values: [], problems: [], paths: [], variables: [], ...found })
  expect((await run({ settings }))[1]).toMatchObject({ state, sentence })
})
