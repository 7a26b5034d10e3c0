import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from '../../contract/settings.ts'
import { anyPolicy } from '../../test/support/any-policy.ts'
import { parsePolicy } from './policy.ts'

const DOCS = new URL('../../docs/administrators/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, DOCS), 'utf8')
const schema = JSON.parse(read('policy.schema.json'))
const validate = new Ajv({ allErrors: true }).compile(schema)

const files = readdirSync(DOCS)
const samples = files
  .filter((name) => /^policy-.*\.json$/.test(name))
  .map((name): [unknown] => [JSON.parse(read(name))])
const snippets = files
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [...read(name).matchAll(/^```json\n(.*?)^```$/gms)])
  .map(([, code = '']): [unknown] => [JSON.parse(code)])

const problemsOf = (document: unknown) => parsePolicy('policy.json', JSON.stringify(document)).problems
const longest = (length: number) => 'https://data.example.com/'.padEnd(length, 'x')

function expectAccepted(document: unknown): void {
  validate(document)
  expect([validate.errors ?? [], problemsOf(document)]).toEqual([[], []])
}

it.each<[unknown]>([
  ...samples,
  ...snippets,
  [{ $schema: '../policy.schema.json', agent: false }],
  [{ baseAddress: ' HTTPS://Data.Example.com:8443/platform/ ' }],
  [{ baseAddress: 'https://bücher.example', dataAddress: longest(2048) }],
  [{ tls: { caFiles: ['C:\\Program Files\\Latchkey\\ca.pem', 'd:/ca.der', '\\\\server\\share\\ca.pem'] } }],
])('schema and program both accept %j', expectAccepted)

it('schema and program both accept any policy without a mistake', () => {
  fc.assert(fc.property(anyPolicy, expectAccepted))
})

it.each<[string | undefined, unknown]>([
  [undefined, []],
  ['baseURL', { baseURL: 'https://data.example.com' }],
  ['agent', { agent: 'false' }],
  ['baseAddress', { baseAddress: 'https://ana:hush@data.example.com' }],
  ['baseAddress', { baseAddress: longest(2049) }],
  ['displayName', { displayName: 'x'.repeat(61) }],
  ['clientSecret', { clientSecret: null }],
  ['redirectPort', { redirectPort: 1023 }],
  ['flow', { flow: 'device' }],
  ['tls.ca', { tls: { ca: '/etc/latchkey/ca.pem' } }],
  ['tls.caFiles', { tls: { caFiles: ['ca.pem'] } }],
  ['tls.clientCertificate', { tls: { clientCertificate: { pfxFile: '/pc.p12', keyFile: '/pc.key' } } }],
  ['connections.default', { connections: { default: {} } }],
  ['connections.staging', { connections: { staging: 'https://staging.example.com' } }],
  ['connections.staging.baseAddress', { connections: { staging: { baseAddress: 'http://staging.example.com' } } }],
])('schema and program both refuse %s in %j', (key, document) => {
  expect(validate(document)).toBe(false)
  expect(problemsOf(document)[0]).toMatchObject(key === undefined ? { problem: 'damaged' } : { key })
})

it('the schema has a key for each setting, and besides these only $schema', () => {
  expect(Object.keys(schema.properties).sort()).toEqual([...SETTING_NAMES, '$schema'].sort())
})
