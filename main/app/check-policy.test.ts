import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { rootOnly } from '../../test/support/systems.ts'
import { checkPolicy } from './check-policy.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'policy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const check = (content: string | Buffer, name = 'policy.json') => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return checkPolicy(file, { platform: 'linux', env: {} })
}

const REG = (line: string) =>
  `Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Latchkey]\r\n${line}\r\n`

describe('latchkey policy check, for a wrong file', () => {
  it.each<[string | Buffer, RegExp]>([
    ['', /The file is empty/],
    ['{\n  "agent": true,\n}', /line 3, column 1.*a comma before \}/],
    ['{\n  "agent": true\n  "userConnections": false\n}', /line 3.*A comma is missing/],
    ['{"agent" true}', /A colon is missing/],
    ['{"tls": {"caFiles": ["/ca.pem"}}', /damaged/],
    ['{agent: true}', /in quotation marks/],
    ['{"tls": {"caFiles": ["C:\\ca.pem"]}}', /backslash twice/],
    [Buffer.from('\ufeff{"agent": true}', 'utf16le'), /UTF-16: save it as UTF-8/],
    [Buffer.from('{"displayName": "Büro"}', 'latin1'), /isn’t UTF-8/],
    ['{"agent": "false"}', /agent.*the strictest value applies.*without quotation marks/],
    ['{"agnet": false}', /Did you mean agent/],
    ['{"LATCHKEY_BASE_URL": "https://data.example.com"}', /Did you mean baseAddress/],
    ['{"baseAddress": "http://data.example.com"}', /must start with https/],
    ['{"baseAddress": "https://ana:hush@data.example.com"}', /must not contain a username/],
    [
      '{"baseAddress": "https://a.example.com", "connections": {"b": {"baseAddress": "https://a.example.com"}}}',
      /address of another/,
    ],
    ['{}', /sets no value/],
    ['{"agent": true, "agent": false}', /agent occurs twice; only the one in line 1/],
    ['{"mcpServers": "nonsense"}', /mcpServers must be addresses/],
    ['{"clientId": "put clientId here"}', /clientId still has the sample/],
    ['{"tls.caFiles": ["/ca.pem"]}', /Did you mean "tls": { "caFiles": … }\?/],
    ['{"connections": {"Staging": {"baseAddress": "https://a.example.com"}}}', /a–z, 0–9, - and _/],
    ['{"connections": {"default": {"baseAddress": "https://a.example.com"}}}', /default.*top level/],
    ['{"connections": {"staging": {"agent": false}}}', /staging\.agent.*top level/],
    [String.raw`{"updateFeed": "\\\\server\\share"}`, /updateFeed.*must be an address/],
    [REG('"agent"="no"'), /agent.*REG_DWORD/],
    [REG('"tls"="{\\"caFiles\\":[\\"C:\\\\ca.pem\\"]}"'), /tls.*Write each backslash twice/],
    ['{"tls": {"caFiles": ["/none/ca.pem"]}}', /ca\.pem.* doesn’t exist on this computer/],
    [REG('').replace('LOCAL_MACHINE', 'CURRENT_USER'), /sets no value/],
    [REG('"tls"="{"caFiles":[]}"'), /line 4, column 1.*a quotation mark is \\"/],
  ])('says what is wrong (mistake %#)', async (content, sentence) => {
    const { text, code } = await check(content)
    expect(text.split('\n').filter((line) => line.startsWith('WRONG'))).toContainEqual(expect.stringMatching(sentence))
    expect(code).toBe(1)
    expect(text).not.toContain('hush')
  })

  it('SECURITY: refuses a certificate that others can change', rootOnly('as another user'), async () => {
    const file = path.join(folder, 'ca.pem')
    writeFileSync(file, '', { mode: 0o666 })
    const { text, code } = await check(JSON.stringify({ tls: { caFiles: [file] } }))
    expect(text).toMatch(/WRONG.*users other than the administrator can change it/)
    expect(text).toMatch(/Others can change \/\S+: use a folder of root/)
    expect(text).not.toContain('\n  tls.caFiles')
    expect(code).toBe(1)
  })

  it('refuses a missing file, and a file that is no policy', async () => {
    const missing = await checkPolicy(path.join(folder, 'none.json'), { platform: 'linux', env: {} })
    expect(missing).toEqual({ text: expect.stringMatching(/none\.json doesn't exist\. Check its path\.\n$/), code: 1 })
    const template = await check('<?xml version="1.0"?><policyDefinitions/>', 'latchkey.admx')
    expect(template).toEqual({ text: expect.stringContaining("This isn't a policy.json or .reg file."), code: 1 })
  })
})

const SSO = { authUrl: 'https://login.example.com/realms/data', clientId: 'latchkey' }
it.each<[string, object, 0 | 1]>([
  ['MISSING  Single sign-on also needs scope.', { ...SSO, flow: 'browser' }, 1],
  ['WARNING  clientSecret: each user must enter it, under', { ...SSO, scope: 'openid', audience: 'a' }, 0],
  ['No problems found.', { baseAddress: 'https://host/data', dataAddress: 'https://data.region.corp' }, 0],
  ['WARNING  scope and clientId have no effect without authUrl.\n\nNothing', { clientId: 'a', scope: 'openid' }, 0],
  [
    'WRONG  authUrl must not end in /.well-known/',
    { authUrl: 'https://login.test/.well-known/openid-configuration' },
    1,
  ],
  ['WARNING  Without baseAddress, each user must enter', { ...SSO, flow: 'browser', scope: 'openid' }, 0],
  [
    'Register at the provider: http://127.0.0.1:48100/callback/login.example.com/realms/data\n',
    { ...SSO, flow: 'browser', scope: 'openid', redirectPort: 48_100 },
    0,
  ],
])('the check advises: %s', async (sentence, policy, expected) => {
  const { text, code } = await check(JSON.stringify(policy))
  expect(text).toContain(`\n${sentence}`)
  expect(code).toBe(expected)
})

it('prints a file’s values without secrets, and says what is missing', async () => {
  const policy = {
    authUrl: 'https://login.company.test',
    clientSecret: 'hush',
    scope: null,
    agent: false,
    connections: { staging: { baseAddress: 'https://staging.example.com' } },
  }
  const { text, code } = await check(JSON.stringify(policy))
  for (const line of [
    'WARNING  Without baseAddress at the top level, tools must use --connection, such as staging.',
    'WARNING  staging.baseAddress still has the sample’s text.',
    '  scope: locked as empty',
    '  clientSecret: set, not shown',
    '  staging.baseAddress: https://staging.example.com',
    'Users can’t add connections of their own.',
    'Tools get no tokens, but can use latchkey mcp and the gateway.',
    '1 to correct.',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(
    /^MISSING .* scope, audience, clientId\. Or set flow to browser: then only scope and clientId are/m,
  )
  expect(text).not.toContain('hush')
  expect(code).toBe(1)
})

it('without a file, checks the policy that is installed in the registry and in the policy file', async () => {
  const key = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Latchkey'
  const run = (_: string, [verb = '', , file = '']: readonly string[]) => {
    if (verb === 'export') writeFileSync(file, REG('"agent"=dword:00000000'), 'utf16le')
    return key
  }
  const env = { ProgramFiles: folder }
  const { text, code } = await checkPolicy(undefined, { platform: 'win32', env, run })
  expect(text).toMatch(/^Latchkey policy check: HKLM\\SOFTWARE\\Policies\\Latchkey, .*policy\.json\n/)
  expect(text).toContain('agent: false')
  expect(code).toBe(0)
  const none = await checkPolicy(undefined, { platform: 'win32', env, run: () => '' })
  expect(none).toMatchObject({ text: expect.stringContaining('No policy is installed'), code: 1 })
})
