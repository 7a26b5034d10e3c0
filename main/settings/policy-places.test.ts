import { writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { mergePolicies, type PolicyReading, parsePolicy } from './policy.ts'
import {
  PREFERENCES_FILE,
  parsePreferences,
  parseRegistryPolicy,
  policyPlaces,
  REGISTRY_KEY,
  type RunTool,
} from './policy-places.ts'

const FILE = '/etc/latchkey/policy.json'
const HEAD = 'Windows Registry Editor Version 5.00\r\n\r\n'
const KEY = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Latchkey'
const reg = (lines: string, more = '') => `${HEAD}[${KEY}]\r\n${lines}\r\n${more}`

const parseReg = (text: string) => parseRegistryPolicy(REGISTRY_KEY, text)

describe('the registry', () => {
  it('sets connections and values of every kind, and ignores the case of a value’s name', () => {
    const { layer, app, tls, connections, problems } = parseReg(
      reg(
        [
          '@="default value"',
          '"BASEADDRESS"="https://data.example.com"',
          '"displayName"="M\u00fcnchen \\"1\\" \\\\ 2"',
          '"scope"=""',
          '"redirectPort"=dword:0000b809',
          '"agent"=dword:00000000',
          '"userConnections"="true"',
          '"realm"=hex(2):41,00,6e,00,\\\r\n  61,00,00,00',
          '"tls"="{\\"caFiles\\": [\\"C:\\\\\\\\ca.pem\\"]}"',
        ].join('\r\n'),
        `\r\n[${KEY}\\Connections]\r\n"staging"="{\\"baseAddress\\":\\"https://staging.example.com\\",\\"scope\\":\\"\\"}"\r\n`,
      ),
    )
    expect(problems).toEqual([])
    expect(layer).toEqual({
      baseAddress: 'https://data.example.com',
      displayName: 'M\u00fcnchen "1" \\ 2',
      scope: null,
      redirectPort: 47113,
      realm: 'Ana',
    })
    expect(app).toEqual({ agent: false, userConnections: true })
    expect(tls).toEqual({ caFiles: ['C:\\ca.pem'] })
    expect(connections).toEqual(new Map([['staging', { baseAddress: 'https://staging.example.com', scope: null }]]))
  })

  it('sets nothing if an earlier policy has left an empty key for connections', () => {
    expect(parseReg(reg('', `[${KEY}\\connections]\r\n`)).connections).toBeUndefined()
    expect(parseReg(reg('"connections"="{}"')).connections).toEqual(new Map())
  })

  it.each([
    ['"agent"="no"', 'agent', 'strictest', 'dword'],
    ['"baseAddress"=hex(7):61,00,00,00', 'baseAddress', 'unusable', 'text'],
    ['"tls"="{"', 'tls', 'unusable', 'notClosed'],
    ['"baseUrl"="https://data.example.com"', 'baseUrl', 'unknown', 'meant'],
  ])('reports a wrong value with its place: %s', (line, key, problem, kind) => {
    expect(parseReg(reg(line)).problems).toMatchObject([{ where: REGISTRY_KEY, key, problem, defect: { kind } }])
  })

  it.each([
    ['', 1],
    [reg('"agent"=dword:xyz'), 4],
    [`${HEAD}"agent"=dword:00000000`, 3],
    [reg('"baseAddress"="https://data.example.com'), 4],
  ])('refuses a text that is no registry file: %j', (text, line) => {
    expect(parseReg(text)).toMatchObject({
      app: { agent: false },
      problems: [{ problem: 'damaged', at: { line } }, { problem: 'closed' }],
    })
  })

  /**
   * Acts like `reg.exe`: `query` prints these subkeys of Policies, and `export` writes this content. A call whose
   * result is `undefined` fails.
   */
  const fakeReg =
    (subkeys: string | undefined, content: string | undefined, calls: unknown[] = []): RunTool =>
    (program, [verb = '', , file = '']) => {
      calls.push([program, verb])
      if (verb === 'query') return subkeys
      if (content !== undefined) writeFileSync(file, `\uFEFF${content}`, 'utf16le')
      return content
    }
  const read = (run: RunTool): PolicyReading | undefined =>
    policyPlaces('C:\\none.json', 'win32', { SystemRoot: 'D:\\Windows' }, run)[0]?.read()

  it('is exported with the reg.exe in the Windows folder, if it has a key for Latchkey', () => {
    const calls: unknown[] = []
    expect(read(fakeReg(`\r\n${KEY}\r\n`, reg('"agent"=dword:00000000'), calls))?.app).toEqual({ agent: false })
    const program = 'D:\\Windows\\System32\\reg.exe'
    expect(calls).toEqual([
      [program, 'query'],
      [program, 'export'],
    ])
    expect(read(fakeReg(`\r\n${KEY}Other\r\n`, undefined))).toEqual({ layer: {}, app: {}, problems: [] })
  })

  it('is reported as unreadable and sets nothing if reg.exe doesn’t run', () => {
    const problems = [{ where: REGISTRY_KEY, problem: 'unreadable' }]
    expect(read(fakeReg(undefined, undefined))).toMatchObject({ layer: {}, app: {}, problems })
  })

  it('SECURITY: permits nothing if it has a key for Latchkey that can’t be exported', () => {
    const problems = [{ where: REGISTRY_KEY, problem: 'unreadable' }, { problem: 'closed' }]
    expect(read(fakeReg(`${KEY}\r\n`, undefined))).toMatchObject({ app: { agent: false }, problems })
    // The temporary folder to which the key is exported is missing.
    vi.stubEnv('TMPDIR', '/nowhere')
    vi.stubEnv('TEMP', 'Q:\\nowhere')
    const exported = fakeReg(`${KEY}\r\n`, reg('"agent"=dword:00000001'))
    expect(read(exported)).toMatchObject({ app: { agent: false }, problems })
    vi.unstubAllEnvs()
  })

  it('SECURITY: permits nothing if it has a key in place of a switch’s value', () => {
    expect(parseReg(reg('', `[${KEY}\\Agent]\r\n`))).toMatchObject({ app: { agent: false } })
  })

  it('ignores a key whose name only begins with Latchkey', () => {
    const text = `${HEAD}[${KEY}2]\r\n"agent"=dword:00000001\r\n`
    expect(parseReg(text)).toMatchObject({ layer: {}, app: {}, problems: [] })
  })
})

describe('the managed preferences', () => {
  it('are read without the keys that macOS adds to a profile', () => {
    const text = JSON.stringify({
      PayloadUUID: '1',
      agent: false,
      scope: '',
      tls: { caFiles: ['/ca.pem'] },
      connections: { staging: { baseAddress: 'https://staging.example.com', realm: '' } },
    })
    expect(parsePreferences(text)).toMatchObject({
      layer: { scope: null },
      app: { agent: false },
      tls: { caFiles: ['/ca.pem'] },
      connections: new Map([['staging', { baseAddress: 'https://staging.example.com', realm: null }]]),
      problems: [],
    })
  })

  it.each([undefined, '[]'])('are reported as damaged if plutil prints %j', (text) => {
    expect(parsePreferences(text)).toMatchObject({
      app: { agent: false },
      problems: [{ where: PREFERENCES_FILE, problem: 'damaged' }, { problem: 'closed' }],
    })
  })
})

const STATES = ['absent', 'good', 'wrong'] as const
type State = (typeof STATES)[number]
const text = (own: string, state: State) =>
  JSON.stringify(
    {
      absent: {},
      good: {
        agent: own === 'high',
        realm: own,
        connections: { staging: { baseAddress: `https://${own}.example.com` } },
      },
      wrong: { agent: 'false', realm: 1, connections: { staging: { baseAddress: 'http://x.example.com' } } },
    }[state],
  )

it.each(STATES.flatMap((high) => STATES.map((low) => [high, low] as const)))(
  'of two places (%s, %s), the first that has a usable value decides',
  (high, low) => {
    const merged = mergePolicies([parsePreferences(text('high', high)), parsePolicy(FILE, text('low', low))])
    const winner = high === 'good' ? 'high' : low === 'good' ? 'low' : undefined
    expect(merged.layer.realm).toBe(winner)
    expect(merged.connections?.get('staging')?.baseAddress).toBe(winner && `https://${winner}.example.com`)
    expect(merged.keys?.get('realm')?.where).toBe(winner && { high: PREFERENCES_FILE, low: FILE }[winner])
    // SECURITY: a wrong value in one place turns the agent off, even if the place after it permits the agent.
    const isAbsent = high === 'absent' && low === 'absent'
    expect(merged.app.agent).toBe(isAbsent ? undefined : high === 'good')
    const wrong = [high === 'wrong' ? [PREFERENCES_FILE] : [], low === 'wrong' ? [FILE] : []].flat(2)
    const named = merged.problems.map(({ where }) => where)
    expect(new Set(named)).toEqual(new Set(wrong))
    expect(named).toHaveLength(wrong.length * 3)
  },
)
