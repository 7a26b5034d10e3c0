import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from '../../contract/settings.ts'
import { anyPolicy } from '../../test/support/any-policy.ts'
import { parsePolicy } from './policy.ts'

const DOCS = new URL('../../docs/administrators/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, DOCS), 'utf8'))
const schema = read('policy.schema.json')
const validate = new Ajv({ allErrors: true }).compile(schema)

/** The policies in the pages for administrators. */
const snippets = readdirSync(DOCS)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [...readFileSync(new URL(name, DOCS), 'utf8').matchAll(/^```json\n(.*?)^```$/gms)])
  .map(([, code = '']): [unknown] => [JSON.parse(code)])
const samples = readdirSync(DOCS).filter((name) => /^policy-.*\.json$/.test(name))

/** The key that the schema refuses; `undefined` if the schema accepts the document. */
const refusedBySchema = (document: unknown): string | undefined => {
  if (validate(document)) return undefined
  const [error] = validate.errors ?? []
  const [, key, part = error?.params['additionalProperty']] = error?.instancePath.split('/') ?? []
  // In these documents, only `tls` contains nested keys that are wrong.
  return (key === 'tls' ? [key, part].filter(Boolean).join('.') : key || part) || 'the whole'
}
const refusedByParser = (document: unknown): string | undefined => {
  const [problem] = parsePolicy('policy.json', JSON.stringify(document)).problems
  return problem && (problem.key ?? 'the whole')
}

it.each<[unknown]>([
  ...snippets,
  ...samples.map((name): [unknown] => [read(name)]),
  [{ $schema: '../policy.schema.json', agent: false }],
  [{ baseAddress: ' HTTPS://Data.Example.com:8443/platform/ ' }],
  [{ baseAddress: 'https://[2001:db8::1]:8443' }],
  [{ baseAddress: 'https://bücher.example' }],
  [{ baseAddress: `https://data.example.com/${'x'.repeat(2048 - 'https://data.example.com/'.length)}` }],
  [{ tls: { caFiles: ['C:\\Program Files\\Latchkey\\ca.pem', 'd:/ca.der', '\\\\server\\share\\ca.pem'] } }],
])('schema and program both accept %j', (document) => {
  expect(refusedBySchema(document)).toBeUndefined()
  expect(refusedByParser(document)).toBeUndefined()
})

it('schema and program both accept any policy without a mistake', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      expect(refusedBySchema(policy)).toBeUndefined()
      expect(refusedByParser(policy)).toBeUndefined()
    }),
  )
})

it.each<[string, unknown]>([
  ['the whole', []],
  ['baseURL', { baseURL: 'https://data.example.com' }],
  ['agent', { agent: 'false' }],
  ['baseAddress', { baseAddress: 'http://127.0.0.1.example.com' }],
  ['baseAddress', { baseAddress: 'https://ana:hush@data.example.com' }],
  ['baseAddress', { baseAddress: 'https://data.example.com/?a=b' }],
  ['baseAddress', { baseAddress: `https://data.example.com/${'x'.repeat(2049 - 'https://data.example.com/'.length)}` }],
  ['displayName', { displayName: 'x'.repeat(61) }],
  ['providerDomain', { providerDomain: 'https://login.example.com' }],
  ['scope', { scope: '   ' }],
  ['clientSecret', { clientSecret: null }],
  ['redirectPort', { redirectPort: 1023 }],
  ['flow', { flow: 'device' }],
  ['tls', { tls: null }],
  ['tls.ca', { tls: { ca: '/etc/latchkey/ca.pem' } }],
  ['tls.caFiles', { tls: { caFiles: ['ca.pem'] } }],
  ['tls.caFiles', { tls: { caFiles: [`/${'x'.repeat(2048)}`] } }],
  ['tls.clientCertificate', { tls: { clientCertificate: { pfxFile: '/pc.p12', keyFile: '/pc.key' } } }],
])('schema and program both refuse %s in %j', (key, document) => {
  expect(refusedBySchema(document)).toBe(key)
  expect(refusedByParser(document)).toBe(key)
})

it.each<[string, unknown]>([
  ['connections', null],
  ['connections.default', { default: {} }],
  [`connections.${'x'.repeat(33)}`, { ['x'.repeat(33)]: {} }],
  ['connections.staging', { staging: 'https://staging.example.com' }],
  ['connections.staging.baseAddress', { staging: { baseAddress: 'http://staging.example.com' } }],
])('schema and program both refuse %s', (key, connections) => {
  expect(validate({ connections })).toBe(false)
  expect(refusedByParser({ connections })).toBe(key)
})

it('the schema has a key for each setting, and besides these only $schema', () => {
  expect(Object.keys(schema.properties).sort()).toEqual([...SETTING_NAMES, '$schema'].sort())
})
