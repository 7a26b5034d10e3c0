import { expect, it } from 'vitest'
import type { AppView, Failure } from '../../preload/contract.ts'
import { loadTexts } from '../../text/index.ts'
import { diagnostics } from './diagnostics.ts'

const failure: Failure = { code: 'sessionEnded', serverText: 'Token hush is void.', details: { status: 401 } }
const view: AppView = {
  version: '1.0.0',
  connection: { baseAddress: 'https://data.example.com', host: 'data.example.com', source: 'policy', methods: [] },
  session: { kind: 'signedOut', revocation: 'none', failure },
  settings: {
    baseAddress: { value: 'https://data.example.com', source: 'policy' },
    authUrl: {},
    providerDomain: {},
    realm: {},
    scope: { value: 'openid', source: 'user' },
    audience: {},
    clientId: {},
    clientSecret: { source: 'environment' },
  },
  agent: { enabled: true, problem: 'It is in use.', uses: [{ name: 'curl/8', lastAt: 0, count: 3 }] },
  notices: ['The value of LATCHKEY_AUTH_URL can’t be used.'],
}

it('tells what is set and by whom, and how everything is', async () => {
  const text = diagnostics(view, await loadTexts('en'), {
    versions: { Latchkey: '1.0.0', Electron: '45.4.1' },
    keychain: { kind: 'failing', cause: 'no answer' },
    now: Date.UTC(2026, 0, 1),
  })
  const lines = text.split('\n').map((line) => line.trim())
  for (const line of [
    '2026-01-01T00:00:00.000Z',
    'Electron: 45.4.1',
    'baseAddress: https://data.example.com (policy)',
    'scope: openid (user)',
    'realm: not set',
    'clientSecret: [secret] (environment)',
    'The value of LATCHKEY_AUTH_URL can’t be used.',
    'Signed out',
    '{"code":"sessionEnded","status":401}',
    'failing no answer',
    'It is in use.',
    'curl/8: 3, last 1970-01-01T00:00:00.000Z',
  ]) {
    expect(lines).toContain(line)
  }
  expect(text).not.toContain('hush')
})
