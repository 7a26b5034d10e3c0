import { describe, expect, test } from 'vitest'
import { collect, wellPorts } from '../../test/support/healthy-desktop.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { password } from '../base/secret.ts'
import { exitCodeOf } from './line.ts'
import type { DiagnosticsPorts } from './ports.ts'
import { runChecks } from './run-checks.ts'

const run = (changed: Partial<DiagnosticsPorts> = {}) => collect(runChecks({ ...wellPorts(), ...changed }))
const never = () => new Promise<never>(() => {})
const provider = { kind: 'provider', url: new URL('http://127.0.0.1:2') } as const

const NETWORK = ['proxy', 'name', 'certificate', 'service', 'clock']
const CHECKED = ['versions', 'settings', 'sandbox', ...NETWORK, 'keychain', 'agent', 'tray']

test('on a healthy desktop, each check yields one line, and all are ok', async () => {
  const lines = await run()
  expect(lines.map(({ check }) => check)).toEqual(CHECKED)
  expect(lines.filter(({ state }) => state !== 'ok')).toEqual([])
})

test('an identity provider gets lines of its own, but none about the clock', async () => {
  const asked: string[] = []
  const send: DiagnosticsPorts['send'] = async ({ url, method }) => {
    asked.push(`${method} ${url}`)
    return { ok: true, value: { status: 405, headers: {} } }
  }
  const checks = (await run({ targets: [...wellPorts().targets, provider], send })).map(({ check }) => check)
  expect(checks.toSorted()).toEqual([...CHECKED, 'proxy', 'name', 'certificate', 'provider'].sort())
  expect(asked).toEqual(['GET http://127.0.0.1:1/base/auth/login', 'GET http://127.0.0.1:2/oauth/token'])
})

describe('the check of a sign-in in the browser', () => {
  const url = new URL('http://127.0.0.1:3')
  const target = {
    url,
    redirectUri: 'http://127.0.0.1/callback/127.0.0.1:3',
    check: async () => {
      const page = new URL('https://login.example.com/authorize?state=SECRET')
      return { ok: true, value: { kind: 'ready', page, isGuessed: false } } as const
    },
    tryPort: async () => ({ ok: true, value: undefined }) as const,
    isWaiting: () => false,
  }
  const lineOf = async (changed: object) => {
    const lines = await run({ browserTargets: [{ ...target, ...changed }] })
    return lines.find(({ check }) => check === 'browser')
  }

  test('names only the host of the page that a sign-in opens', async () => {
    const sentence = 'Browser sign-in opens a page at login.example.com:443.'
    expect(await lineOf({})).toEqual({ check: 'browser', state: 'ok', sentence })
  })

  test.each([
    [{ kind: 'refused', cause: 'invalid_scope' }, 'failed', 'invalid_scope'],
    [{ kind: 'errorPage', status: 404, isGuessed: true }, 'failed', 'authUrl'],
    [{ kind: 'ready', page: url, isGuessed: false, noRefresh: 'unauthorized_client' }, 'warning', 'refresh tokens'],
  ])('names a mistake in the settings: %j', async (value, state, words) => {
    const line = await lineOf({ check: async () => ({ ok: true, value }) })
    expect(line?.state).toBe(state)
    expect(`${line?.sentence} ${line?.advice}`).toContain(words)
  })

  test('fails if the provider’s page is not found, or if the port is taken', async () => {
    const failure = (cause: string) => async () => ({ ok: false, failure: { code: 'unreachable', details: { cause } } })
    expect((await lineOf({ check: failure('HTTP 503') }))?.sentence).toContain('127.0.0.1:3')
    expect(await lineOf({ tryPort: failure('EADDRINUSE') })).toMatchObject({ state: 'failed' })
  })
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

test('a check that throws yields a line with the error’s code, but without its message', async () => {
  const broken = Object.assign(new Error('of http://ana:hunter2@proxy.test'), { code: 'EIO' })
  const settings = () => {
    throw broken
  }
  const lines = await run({ settings, proxiesFor: () => Promise.reject(broken) })
  const broke = lines.filter(({ state }) => state === 'failed')
  expect(broke.map(({ check, sentence }) => [check, sentence])).toEqual([
    ['settings', 'The check could not run (EIO).'],
    ['proxy', 'The check could not run (EIO).'],
  ])
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

test('no line contains a secret or the user’s name', async () => {
  const lines = await run({
    settings: () => ({
      values: [
        { name: 'clientSecret', source: 'policy' },
        { name: 'baseAddress', value: 'https://data.test', source: 'user' },
        { name: 'scope', value: `${password('hunter2')}`, source: 'environment' },
      ],
      problems: ['/home/ana/.config/Latchkey/config.json is damaged.'],
      paths: [{ name: 'policy', path: '/home/ana/policy.json', isMissing: true }],
      variables: [{ name: 'no_proxy', value: 'a.test' }, { name: 'HTTPS_PROXY' }],
    }),
  })
  expect(lines[1]).toMatchObject({
    state: 'warning',
    sentence: '1 setting is invalid. ~/.config/Latchkey/config.json is damaged.',
    details: [
      'clientSecret: set, not shown (set by the administrator)',
      'baseAddress: https://data.test (set by the user)',
      'scope: [secret] (set by an environment variable)',
      'no_proxy: a.test (variable)',
      'HTTPS_PROXY: invalid, not shown (variable)',
      'policy: ~/policy.json (none)',
    ],
  })
  expect(JSON.stringify(lines)).not.toMatch(/hunter2|\bana\b/)
})

describe('checks that depend on a failed check', () => {
  const failing = async (url: string, resolve = wellPorts().resolve) => {
    const send = async () => ({ ok: false, failure: { code: 'unreachable' } }) as const
    const lines = await run({ targets: [{ kind: 'service', url: new URL(url) }], resolve, send })
    expect(exitCodeOf(lines)).toBe(1)
    const withState = (state: string) => lines.filter((line) => line.state === state)
    return { failed: withState('failed').map(({ check }) => check), skipped: withState('skipped') }
  }
  const noName = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))

  test('are skipped, so that one cause is reported as one failure', async () => {
    const { failed, skipped } = await failing('https://nowhere.invalid', noName)
    expect(failed).toEqual(['name'])
    expect(skipped.map(({ check }) => check)).toEqual(['certificate', 'service', 'clock'])
    expect(skipped[0]?.sentence).toBe('Depends on “name”, which failed.')
  })

  test('if neither the service nor its certificate can be checked, only the service check fails', async () => {
    const { failed, skipped } = await failing('https://127.0.0.1:1')
    expect(failed).toEqual(['service'])
    expect(skipped[0]).toMatchObject({ check: 'certificate', sentence: 'Depends on “service”, which failed.' })
  })
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
