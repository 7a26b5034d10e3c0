import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from '../../contract/settings.ts'
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

const whole = {
  baseAddress: 'https://data.example.com',
  displayName: 'Data platform',
  authUrl: 'https://login.example.com/tenant',
  providerDomain: 'login.example.com:8443',
  realm: 'Analysts',
  scope: 'openid offline_access',
  audience: 'https://data.example.com/api?version=2',
  clientId: 'latchkey',
  clientSecret: ' hush ',
  connections: { staging: { baseAddress: 'https://staging.example.com', realm: 'Analysts' }, trial_2: {} },
  userConnections: false,
  agent: true,
  startAtLogin: false,
  mcpServers: 'https://ai.example.com/mcp https://data.example.com/v2/mcp',
  updateFeed: 'https://updates.example.com/latchkey',
  tls: {
    caFiles: ['/etc/latchkey/company-ca.pem'],
    clientCertificate: { certFile: '/etc/latchkey/pc.pem', keyFile: '/etc/latchkey/pc.key', passphrase: 'hush' },
  },
}

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

it.each(readdirSync(DOCS).filter((name) => /^policy-.*\.json$/.test(name)))(
  'schema and program both accept the sample policy docs/administrators/%s',
  (name) => {
    expect(refusedBySchema(read(name))).toBeUndefined()
    expect(refusedByParser(read(name))).toBeUndefined()
  },
)

it.each<[unknown]>([
  ...snippets,
  [{}],
  [whole],
  [{ $schema: '../policy.schema.json', agent: false }],
  [{ baseAddress: ' HTTPS://Data.Example.com:8443/platform/ ' }],
  [{ baseAddress: 'https://[2001:db8::1]:8443' }],
  [{ baseAddress: 'https://bücher.example' }],
  [{ baseAddress: 'http://127.0.0.1:8080' }],
  [{ authUrl: 'http://[::1]:80/' }],
  [{ displayName: 'x'.repeat(60) }],
  [{ clientSecret: ' ' }],
  [{ baseAddress: `https://data.example.com/${'x'.repeat(2048 - 'https://data.example.com/'.length)}` }],
  [{ redirectPort: 1024 }],
  [{ flow: 'browser' }],
  [
    {
      baseAddress: null,
      authUrl: null,
      providerDomain: null,
      realm: null,
      scope: null,
      audience: null,
      clientId: null,
    },
  ],
  [{ connections: { staging: { baseAddress: 'https://staging.example.com', authUrl: null } } }],
  [{ tls: { caFiles: [] } }],
  [{ tls: { caFiles: ['C:\\Program Files\\Latchkey\\ca.pem', 'd:/ca.der', '\\\\server\\share\\ca.pem'] } }],
  [{ tls: { clientCertificate: { pfxFile: '/etc/latchkey/pc.p12' } } }],
])('schema and program both accept %j', (document) => {
  expect(refusedBySchema(document)).toBeUndefined()
  expect(refusedByParser(document)).toBeUndefined()
})

it.each<[string, unknown]>([
  ['the whole', []],
  ['baseURL', { ...whole, baseURL: 'https://data.example.com' }],
  ['Agent', { Agent: false }],
  ['agent', { agent: 'false' }],
  ['agent', { agent: null }],
  ['startAtLogin', { startAtLogin: 'yes' }],
  ['userConnections', { userConnections: 'yes' }],
  ['baseAddress', { baseAddress: '' }],
  ['baseAddress', { baseAddress: ['https://data.example.com'] }],
  ['baseAddress', { baseAddress: 'not an address' }],
  ['baseAddress', { baseAddress: 'http://data.example.com' }],
  ['baseAddress', { baseAddress: 'http://127.0.0.1.example.com' }],
  ['baseAddress', { baseAddress: 'https://ana:hush@data.example.com' }],
  ['baseAddress', { baseAddress: 'https://data.example.com/?a=b' }],
  ['baseAddress', { baseAddress: 'https://data.example.com#top' }],
  ['baseAddress', { baseAddress: `https://data.example.com/${'x'.repeat(2049 - 'https://data.example.com/'.length)}` }],
  ['displayName', { displayName: ' ' }],
  ['displayName', { displayName: 'x'.repeat(61) }],
  ['authUrl', { ...whole, authUrl: 'http://login.example.com' }],
  ['providerDomain', { providerDomain: 'https://login.example.com' }],
  ['scope', { scope: '   ' }],
  ['scope', { scope: 'x'.repeat(2049) }],
  ['realm', { realm: '' }],
  ['audience', { audience: false }],
  ['clientSecret', { clientSecret: '' }],
  ['clientSecret', { clientSecret: null }],
  ['clientSecret', { clientSecret: 'x'.repeat(2049) }],
  ['redirectPort', { redirectPort: 1023 }],
  ['redirectPort', { redirectPort: 8080.5 }],
  ['flow', { flow: 'device' }],
  ['gateway', { gateway: 'true' }],
  ['gatewayMethods', { gatewayMethods: 'write' }],
  ['updateFeed', { updateFeed: true }],
  ['updateFeed', { updateFeed: 'http://updates.example.com' }],
  ['tls', { tls: null }],
  ['tls.ca', { tls: { ca: '/etc/latchkey/ca.pem' } }],
  ['tls.caFiles', { tls: { caFiles: '/etc/latchkey/ca.pem' } }],
  ['tls.caFiles', { tls: { caFiles: ['ca.pem'] } }],
  ['tls.caFiles', { tls: { caFiles: [`/${'x'.repeat(2048)}`] } }],
  ['tls.clientCertificate', { tls: { clientCertificate: { certFile: '/etc/latchkey/pc.pem' } } }],
  ['tls.clientCertificate', { tls: { clientCertificate: { pfxFile: '/pc.p12', keyFile: '/pc.key' } } }],
  ['tls.clientCertificate', { tls: { clientCertificate: { pfxFile: '/pc.p12', passphrase: 'x'.repeat(2049) } } }],
])('schema and program both refuse %s in %j', (key, document) => {
  expect(refusedBySchema(document)).toBe(key)
  expect(refusedByParser(document)).toBe(key)
})

it.each<[string, unknown]>([
  ['connections', null],
  ['connections.default', { default: {} }],
  ['connections.constructor', { constructor: {} }],
  ['connections.Staging', { Staging: {} }],
  [`connections.${'x'.repeat(33)}`, { ['x'.repeat(33)]: {} }],
  ['connections.staging', { staging: 'https://staging.example.com' }],
  ['connections.staging.baseAddress', { staging: { baseAddress: 'http://staging.example.com' } }],
  ['connections.staging.baseURL', { staging: { baseURL: 'https://staging.example.com' } }],
  ['connections.staging.agent', { staging: { agent: false } }],
])('schema and program both refuse %s', (key, connections) => {
  expect(validate({ connections })).toBe(false)
  expect(refusedByParser({ connections })).toBe(key)
})

it('the schema has a key for each setting, and besides these only $schema', () => {
  expect(Object.keys(schema.properties).sort()).toEqual([...SETTING_NAMES, '$schema'].sort())
})
