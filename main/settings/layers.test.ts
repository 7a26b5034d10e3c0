import { expect, it } from 'vitest'
import type { SettingProblems } from '../../contract/settings.ts'
import { clientSecret } from '../base/secret.ts'
import { type Layer, type Layers, planChange, readEnvironment, type SettingsInput } from './layers.ts'

const layersOf = (given: Partial<Layers>): Layers => ({ policy: {}, environment: {}, user: {}, ...given })

function problems(input: SettingsInput, given: Partial<Layers> = {}): SettingProblems {
  const change = planChange(layersOf(given), input)
  return change.ok ? {} : change.problems
}
function own(input: SettingsInput, given: Partial<Layers> = {}): Layer {
  const change = planChange(layersOf(given), input)
  if (!change.ok) throw new Error(JSON.stringify(change.problems))
  return change.own
}

const address = { baseAddress: 'https://data.example.com' }
const typed = {
  authUrl: 'https://login.example.com',
  scope: 'openid',
  audience: 'https://data.example.com/api',
  clientId: 'latchkey',
  clientSecret: 'hush',
}
const provider: Layer = { ...typed, clientSecret: clientSecret('hush') }
const user = { ...address, ...provider }

it('a change normalises its values, removes those that are empty, and keeps the others', () => {
  const change = { baseAddress: ' Data.Example.com/ ', ...typed, scope: ' openid ', gateway: 'true' }
  expect(own(change)).toEqual({ ...user, gateway: true })
  expect(own({ realm: '', scope: 'all' }, { user: { ...user, realm: 'Analysts', prompt: 'login' } })).toEqual({
    ...user,
    scope: 'all',
    prompt: 'login',
  })
  const none = { authUrl: '', scope: '', audience: ' ', clientId: '', clientSecret: '' }
  expect(own(none, { user })).toEqual(address)
})

it.each<readonly [keyof SettingsInput, string, string]>([
  ['gateway', 'on', 'unusable'],
  ['gatewayPort', '80', 'unusable'],
  ['dataAddress', 'http://data.example.com', 'notHttps'],
  ['baseAddress', '', 'missing'],
  ...(Object.keys(typed) as (keyof typeof typed)[]).map((field) => [field, '', 'missing'] as const),
])('a change is refused, and the reason is given, if %s is "%s": %s', (field, value, problem) => {
  expect(problems({ [field]: value }, { user })).toEqual({ [field]: problem })
  expect(problems({ ...address, ...typed, [field]: value })).toEqual({ [field]: problem })
})

it('SECURITY: a change can’t replace a managed value', () => {
  const given = { policy: address, environment: provider }
  expect(problems({ baseAddress: '', scope: 'all', clientSecret: 'mine' }, given)).toEqual({
    baseAddress: 'managed',
    scope: 'managed',
    clientSecret: 'managed',
  })
  expect(problems({ realm: 'Analysts' }, given)).toEqual({})
})

it.each(['policy', 'environment'] as const)(
  'SECURITY: a user can’t set a provider if the client secret is from the %s',
  (source) => {
    const given = { [source]: { clientSecret: clientSecret('theirs'), clientId: 'theirs' }, user: address }
    expect(problems({ authUrl: typed.authUrl }, given)).toMatchObject({ authUrl: 'managedSecret' })
    expect(problems({ scope: 'openid' }, given)).toMatchObject({ authUrl: 'managedSecret' })
    expect(problems({ realm: 'Analysts' }, given)).toEqual({})
  },
)

it('SECURITY: if the policy forbids providers, a change with a client secret is refused', () => {
  const { authUrl: _, ...rest } = typed
  expect(problems(rest, { policy: { authUrl: null }, user: address })).toEqual({ authUrl: 'managed' })
})

it('SECURITY: if the provider’s address changes, the client secret must be entered again', () => {
  const authUrl = 'https://elsewhere.example'
  expect(problems({ authUrl }, { user })).toEqual({ clientSecret: 'enterAgain' })
  expect(own({ authUrl, clientSecret: 'new' }, { user }).clientSecret?.reveal()).toBe('new')
  expect(problems({ authUrl: 'https://Login.example.com/' }, { user })).toEqual({})
})

it('a variable that can’t be used is reported, and the other variables still apply', () => {
  const variables = { LATCHKEY_BASE_URL: 'http://data.example.com', LATCHKEY_SSO_SCOPE: 'openid' }
  expect(readEnvironment(variables)).toMatchObject({
    layer: { scope: 'openid' },
    problems: [{ source: 'environment', where: 'LATCHKEY_BASE_URL', defect: { kind: 'notHttps' } }],
  })
})
