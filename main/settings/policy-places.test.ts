import { writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mergePolicies, parsePolicy } from './policy.ts'
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
    const values = [
      '@="default value"',
      '"DISPLAYNAME"="M\u00fcnchen \\"1\\" \\\\ 2"',
      '"scope"=""',
      '"redirectPort"=dword:0000b809',
      '"agent"=dword:00000000',
      '"userConnections"="true"',
      '"realm"=hex(2):41,00,6e,00,\\\r\n  61,00,00,00',
      '"tls"="{\\"caFiles\\": [\\"C:\\\\\\\\ca.pem\\"]}"',
      `\r\n[${KEY}\\Connections]`,
      '"staging"="{\\"baseAddress\\":\\"https://staging.example.com\\",\\"scope\\":\\"\\"}"',
    ]
    expect(parseReg(reg(values.join('\r\n')))).toMatchObject({
      layer: { displayName: 'M\u00fcnchen "1" \\ 2', scope: null, redirectPort: 47113, realm: 'Ana' },
      app: { agent: false, userConnections: true },
      tls: { caFiles: ['C:\\ca.pem'] },
      connections: new Map([['staging', { baseAddress: 'https://staging.example.com', scope: null }]]),
      problems: [],
    })
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
    const { layer, app, connections, problems } = parseReg(others)
    expect([layer, app, connections, problems]).toEqual([{}, {}, undefined, []])
  })

  it('SECURITY: permits nothing if its text is no registry file', () => {
    for (const [text, line] of [
      ['', 1],
      [`${HEAD}"agent"=dword:00000000`, 3],
      [reg('"realm"="a'), 4],
    ] as const) {
      const problems = [{ problem: 'damaged', at: { line } }, { problem: 'closed' }]
      expect(parseReg(text)).toMatchObject({ app: { agent: false }, problems })
    }
  })

  /** Reads with a fake `reg.exe`, which lists these keys and exports this content. What is `undefined` fails. */
  const read = (keys: string | undefined, content: string | undefined) => {
    const run = vi.fn<RunTool>((_, [verb = '', , file = '']) => {
      if (verb === 'query') return keys
      if (content !== undefined) writeFileSync(file, `\uFEFF${content}`, 'utf16le')
      return content
    })
    const [registry] = policyPlaces('C:\\none.json', 'win32', { SystemRoot: 'D:\\Windows' }, run)
    return { reading: registry?.read(), programs: run.mock.calls.map(([program, [verb]]) => `${program} ${verb}`) }
  }
  const unreadable = { where: REGISTRY_KEY, problem: 'unreadable' }

  it('is exported with the reg.exe in the Windows folder, if it has a key for Latchkey and reg.exe runs', () => {
    const { reading, programs } = read(`\r\n${KEY}\r\n`, reg('"agent"=dword:00000000'))
    expect(reading?.app).toEqual({ agent: false })
    const program = 'D:\\Windows\\System32\\reg.exe'
    expect(programs).toEqual([`${program} query`, `${program} export`])
    expect(read(`\r\n${KEY}Other\r\n`, undefined).reading).toEqual({ layer: {}, app: {}, problems: [] })
    expect(read(undefined, undefined).reading).toMatchObject({ layer: {}, app: {}, problems: [unreadable] })
  })

  it('SECURITY: permits nothing if its key can’t be exported, or has a key in place of a switch’s value', () => {
    const closed = { app: { agent: false }, problems: [unreadable, { problem: 'closed' }] }
    expect(read(`${KEY}\r\n`, undefined).reading).toMatchObject(closed)
    // The temporary folder to which the key is exported is missing.
    vi.stubEnv('TMPDIR', '/nowhere')
    vi.stubEnv('TEMP', 'Q:\\nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(read(`${KEY}\r\n`, reg('"agent"=dword:00000001')).reading).toMatchObject(closed)
    expect(parseReg(reg('', `[${KEY}\\Agent]\r\n`))).toMatchObject({ app: { agent: false } })
  })
})

describe('the managed preferences', () => {
  it('are read without the keys that macOS adds to a profile, and an empty text is no value', () => {
    const connections = { staging: { realm: '' } }
    expect(parsePreferences(JSON.stringify({ PayloadUUID: '1', agent: false, scope: '', connections }))).toMatchObject({
      layer: { scope: null },
      app: { agent: false },
      connections: new Map([['staging', { realm: null }]]),
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
