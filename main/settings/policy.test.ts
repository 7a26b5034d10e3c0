import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MODES, posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { parsePolicy, policyFrom, policyPath, readPolicy } from './policy.ts'

/** The values that apply if the file exists but can't be used. */
const CLOSED = {
  layer: { gateway: false, gatewayMethods: 'read' },
  app: { agent: false, mcp: false, userConnections: false },
}

it.each([
  ['linux', '/etc/latchkey/policy.json'],
  ['darwin', '/Library/Application Support/Latchkey/policy.json'],
  ['win32', 'D:\\Programs\\Latchkey\\policy.json'],
] as const)('on %s, the policy file is %s', (platform, file) => {
  expect(policyPath(platform, { ProgramFiles: 'D:\\Programs' })).toBe(file)
})

it('a file in a folder that others can write to is refused and reported', posixOnly(MODES), () => {
  const file = path.join(temporaryFolder(), 'policy.json')
  writeFileSync(file, '{"baseAddress":"https://data.example.com"}', { mode: 0o644 })
  expect(readPolicy(file, 'linux')).toMatchObject({
    layer: CLOSED.layer,
    problems: [{ where: file, problem: 'unsafe' }, { problem: 'closed' }],
  })
})

it('a file that can’t be read is reported, and permits nothing', () => {
  const where = temporaryFolder()
  const problems = [{ where, problem: 'unreadable' }, { problem: 'closed' }]
  expect(readPolicy(where, 'win32')).toMatchObject({ ...CLOSED, problems })
})

describe('parsePolicy', () => {
  const parse = (content: string) => parsePolicy('policy.json', content)

  it('reads each value, and reports each unusable one with its line and key', () => {
    const { layer, app, problems } = parse(
      [
        '{',
        '  "baseAddress": "https://data.example.com",',
        '  "authUrl": "http://login.example.com", "agent": "no",',
        '  "baseURL": "https://data.example.com"',
        '}',
      ].join('\n'),
    )
    expect(layer).toEqual({ baseAddress: 'https://data.example.com' })
    expect(app).toEqual({ agent: false })
    const about = { source: 'policy', where: 'policy.json' }
    expect(problems).toEqual([
      { ...about, key: 'authUrl', at: { line: 3, column: 3 }, problem: 'unusable', defect: { kind: 'notHttps' } },
      { ...about, key: 'agent', at: { line: 3, column: 42 }, problem: 'strictest', defect: { kind: 'switch' } },
      {
        ...about,
        key: 'baseURL',
        at: { line: 4, column: 3 },
        problem: 'unknown',
        defect: { kind: 'meant', detail: 'baseAddress' },
      },
    ])
  })

  it('reads certificates part by part, and reports each problem with its line', () => {
    const { tls, problems } = parse('{\n  "tls": {"caFiles": ["/ca.pem"], "clientCertificate": {}, "x": 1}\n}')
    expect(tls).toEqual({ caFiles: ['/ca.pem'] })
    const about = { source: 'policy', where: 'policy.json', at: { line: 2, column: 3 } }
    expect(problems).toEqual([
      {
        ...about,
        at: { line: 2, column: 35 },
        key: 'tls.clientCertificate',
        problem: 'unusable',
        defect: { kind: 'certificate' },
      },
      { ...about, at: { line: 2, column: 60 }, key: 'tls.x', problem: 'unknown' },
    ])
  })

  it('SECURITY: printing the policy shows no secret, even if the file is damaged', () => {
    const secrets = '"clientSecret": "hush", "tls": {"clientCertificate": {"pfxFile": "/pc.p12", "passphrase": "hush"}}'
    const reading = parse(`{${secrets}}`)
    expect(reading.layer.clientSecret?.reveal()).toBe('hush')
    expect(reading.tls?.clientCertificate?.passphrase?.reveal()).toBe('hush')
    for (const each of [reading, parse(`{${secrets}, "scope": 1}`), parse(`{${secrets} "scope": 1}`)])
      expect(inspect(each, { depth: 9 }) + JSON.stringify(each)).not.toContain('hush')
  })

  it.each([
    ['{\n  "scope": "openid",\n}', { line: 3, column: 1 }, { kind: 'commaBefore', detail: '}' }],
    ['[]', { line: 1, column: 1 }, { kind: 'notAnObject' }],
  ])('SECURITY: a damaged file is reported, and permits nothing: %j', (content, at, defect) => {
    const about = { source: 'policy', where: 'policy.json' }
    const { keys, ...reading } = parse(content)
    expect(reading).toEqual({
      ...CLOSED,
      problems: [
        { ...about, problem: 'damaged', at, defect },
        { ...about, problem: 'closed' },
      ],
    })
    expect(keys?.get('agent')).toEqual({ where: 'policy.json', key: 'agent' })
  })

  it('accepts a byte order mark, which Windows editors write, but no other encoding than UTF-8', () => {
    const kindOf = (text: string, encoding?: BufferEncoding) =>
      policyFrom('policy.json', Buffer.from(text, encoding)).problems[0]?.defect?.kind
    expect(kindOf('\ufeff{"agent": true}')).toBeUndefined()
    expect(kindOf('\ufeff{"agent": true}', 'utf16le')).toBe('utf16')
    expect(kindOf('{"agent": true}', 'utf16le')).toBe('utf16')
    expect(kindOf('{"displayName": "Büro"}', 'latin1')).toBe('notUtf8')
  })
})
