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

  it('reports a wrong value with its place, and ignores a leftover key and the key of another program', () => {
    const wrong = ['"agent"="no"', '"baseAddress"=hex(7):61,00,00,00', '"tls"="{"', '"baseUrl"="https://a.example"']
    const about = { where: REGISTRY_KEY }
    expect(parseReg(reg(wrong.join('\r\n'))).problems).toMatchObject([
      { ...about, key: 'baseAddress', problem: 'unusable', defect: { kind: 'text' } },
      { ...about, key: 'agent', problem: 'strictest', defect: { kind: 'dword' } },
      { ...about, key: 'tls', problem: 'unusable', defect: { kind: 'notClosed' } },
      { ...about, key: 'baseUrl', problem: 'unknown', defect: { kind: 'meant' } },
    ])
    expect(parseReg(reg('"connections"="{}"')).connections).toEqual(new Map())
    const others = `${HEAD}[${KEY}\\connections]\r\n[${KEY}2]\r\n"agent"=dword:00000001\r\n`
    expect(parseReg(others)).toMatchObject({ layer: {}, app: {}, problems: [] })
    expect(parseReg(others).connections).toBeUndefined()
  })

  it.each([
    ['', 1],
    [`${HEAD}"agent"=dword:00000000`, 3],
    [reg('"baseAddress"="https://data.example.com'), 4],
  ])('SECURITY: permits nothing if its text is no registry file: %j', (text, line) => {
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

  it('is exported with the reg.exe in the Windows folder, if it has a key for Latchkey and reg.exe runs', () => {
    const calls: unknown[] = []
    expect(read(fakeReg(`\r\n${KEY}\r\n`, reg('"agent"=dword:00000000'), calls))?.app).toEqual({ agent: false })
    const program = 'D:\\Windows\\System32\\reg.exe'
    expect(calls).toEqual([
      [program, 'query'],
      [program, 'export'],
    ])
    expect(read(fakeReg(`\r\n${KEY}Other\r\n`, undefined))).toEqual({ layer: {}, app: {}, problems: [] })
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

  it('SECURITY: permit nothing if they are damaged', () => {
    const problems = [{ where: PREFERENCES_FILE, problem: 'damaged' }, { problem: 'closed' }]
    for (const text of [undefined, '[]'])
      expect(parsePreferences(text)).toMatchObject({ app: { agent: false }, problems })
  })
})

const STATES = ['absent', 'good', 'wrong'] as const
const text = (own: string, state: (typeof STATES)[number]) =>
  JSON.stringify(
    {
      absent: {},
      good: { agent: own === 'high', realm: own, connections: { staging: { realm: own } } },
      wrong: { agent: 'false', realm: 1, connections: { staging: { realm: 1 } } },
    }[state],
  )

it.each(STATES.flatMap((high) => STATES.map((low) => [high, low] as const)))(
  'of two places (%s, %s), the first that has a usable value decides',
  (high, low) => {
    const merged = mergePolicies([parsePreferences(text('high', high)), parsePolicy(FILE, text('low', low))])
    const winner = high === 'good' ? 'high' : low === 'good' ? 'low' : undefined
    expect(merged.layer.realm).toBe(winner)
    expect(merged.connections?.get('staging')?.realm).toBe(winner)
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
