import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { MODES, posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { parsePolicy, policyFrom, policyPath, readPolicy } from './policy.ts'

const CLOSED = {
  layer: { gateway: false, gatewayMethods: 'read' },
  app: { agent: false, mcp: false, userConnections: false },
}
const parse = (content: string) => parsePolicy('policy.json', content)

it.each([
  ['linux', '/etc/latchkey/policy.json'],
  ['darwin', '/Library/Application Support/Latchkey/policy.json'],
  ['win32', 'D:\\Programs\\Latchkey\\policy.json'],
] as const)('on %s, the policy file is %s', (platform, file) => {
  expect(policyPath(platform, { ProgramFiles: 'D:\\Programs' })).toBe(file)
})

it('SECURITY: a file in a folder that others can write to is refused, and permits nothing', posixOnly(MODES), () => {
  const where = path.join(temporaryFolder(), 'policy.json')
  writeFileSync(where, '{"baseAddress":"https://data.example.com"}', { mode: 0o644 })
  expect(readPolicy(where, 'linux')).toMatchObject({ ...CLOSED, problems: [{ where, problem: 'unsafe' }, {}] })
})

it('SECURITY: a file that can’t be read permits nothing', () => {
  const where = temporaryFolder()
  expect(readPolicy(where, 'win32')).toMatchObject({ ...CLOSED, problems: [{ where, problem: 'unreadable' }, {}] })
})

it('each value is read, and each unusable one is reported with its key and position', () => {
  const { layer, app, tls, problems } = parse(`{
    "baseAddress": "https://data.example.com", "authUrl": "http://login.example.com", "agent": "no",
    "tls": {"caFiles": ["/ca.pem"], "clientCertificate": {}}
  }`)
  expect(layer).toEqual({ baseAddress: 'https://data.example.com' })
  expect([app, tls]).toEqual([{ agent: false }, { caFiles: ['/ca.pem'] }])
  const about = { source: 'policy', where: 'policy.json' }
  const at = (line: number, column: number) => ({ ...about, at: { line, column } })
  expect(problems).toEqual([
    { ...at(2, 48), key: 'authUrl', problem: 'unusable', defect: { kind: 'notHttps' } },
    { ...at(2, 87), key: 'agent', problem: 'strictest', defect: { kind: 'switch' } },
    { ...at(3, 37), key: 'tls.clientCertificate', problem: 'unusable', defect: { kind: 'certificate' } },
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
  const problems = [
    { ...about, problem: 'damaged', at, defect },
    { ...about, problem: 'closed' },
  ]
  expect(reading).toEqual({ ...CLOSED, problems })
  expect(keys?.get('agent')).toEqual({ where: 'policy.json', key: 'agent' })
})

it('a byte order mark, which Windows editors write, is accepted, but no other encoding than UTF-8', () => {
  const kindOf = (text: string, encoding?: BufferEncoding) =>
    policyFrom('policy.json', Buffer.from(text, encoding)).problems[0]?.defect?.kind
  expect(kindOf('\ufeff{"agent": true}')).toBeUndefined()
  expect(kindOf('\ufeff{"agent": true}', 'utf16le')).toBe('utf16')
  expect(kindOf('{"agent": true}', 'utf16le')).toBe('utf16')
  // SECURITY: a file in another encoding permits nothing.
  expect(policyFrom('policy.json', Buffer.from('{"agent": true}', 'utf16le'))).toMatchObject(CLOSED)
  expect(kindOf('{"displayName": "Büro"}', 'latin1')).toBe('notUtf8')
})

it('SECURITY: no connection gets a name that every JavaScript object has as a property', () => {
  const baseAddress = 'https://staging.example.com'
  expect(v.is(calls.addConnection, { name: 'staging', baseAddress })).toBe(true)
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    expect(v.is(calls.addConnection, { name, baseAddress }), name).toBe(false)
    const { problems } = parse(JSON.stringify({ connections: Object.fromEntries([[name, { baseAddress }]]) }))
    expect(problems).toMatchObject([{ key: `connections.${name}`, problem: 'unusable' }])
  }
})
