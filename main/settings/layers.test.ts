import { describe, expect, it } from 'vitest'
import type { SettingProblems } from '../../contract/settings.ts'
import { clientSecret } from '../base/secret.ts'
import { isSameConnection } from '../session/connection.ts'
import { connectionView } from '../session/connection-view.ts'
import { type Layer, planChange, readEnvironment, resolveConnection, type SettingsInput } from './layers.ts'

const layers = (change: { policy?: Layer; environment?: Layer; user?: Layer }) => ({
  policy: {},
  environment: {},
  user: {},
  ...change,
})
const plan = (input: SettingsInput, given: Parameters<typeof layers>[0] = {}) => planChange(layers(given), input)

const problems = (...given: Parameters<typeof plan>): SettingProblems => {
  const change = plan(...given)
  return change.ok ? {} : change.problems
}
const own = (...given: Parameters<typeof plan>): Layer => {
  const change = plan(...given)
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

describe('a change of the settings', () => {
  it('typed values are checked and normalised', () => {
    expect(own({ baseAddress: ' Data.Example.com/ ', ...typed, scope: ' openid ' })).toEqual({
      ...address,
      ...provider,
    })
  })

  it.each([
    ['true', true],
    ['false', false],
    ['', undefined],
  ])('the value %j from the window sets the gateway switch to %s', (typed, gateway) => {
    const user = { ...address, gateway: true }
    expect(own({ gateway: typed }, { user })).toEqual({ ...address, ...(gateway === undefined ? {} : { gateway }) })
  })

  it.each<[keyof SettingsInput, string, string]>([
    ['gateway', 'on', 'unusable'],
    ['gatewayPort', '80', 'unusable'],
    ['dataAddress', 'http://data.example.com', 'notHttps'],
    ['authUrl', 'https://login.example.com?a=b', 'hasQuery'],
    ['providerDomain', 'https://login.example.com', 'unusable'],
  ])('a change is refused, and the reason is given, if %s is %s', (field, value, problem) => {
    const user = { ...address, ...provider }
    expect(problems({ [field]: value, ...(field === 'authUrl' && { clientSecret: 'x' }) }, { user })).toEqual({
      [field]: problem,
    })
  })

  it('a change keeps the values that it doesn’t contain, and removes those that it sets to an empty text', () => {
    const user = { ...address, ...provider, realm: 'Analysts', providerDomain: 'login.example.com' }
    expect(own({ realm: '', scope: 'all' }, { user })).toEqual({
      ...address,
      ...provider,
      scope: 'all',
      providerDomain: 'login.example.com',
    })
    expect(own({ authUrl: '', scope: '', audience: ' ', clientId: '', clientSecret: '' }, { user })).toEqual({
      ...address,
      realm: 'Analysts',
      providerDomain: 'login.example.com',
    })
  })

  it('SECURITY: a change can’t replace a managed value', () => {
    const layers = { policy: address, environment: provider }
    expect(problems({ baseAddress: 'https://elsewhere.example', ...typed }, layers)).toEqual({
      baseAddress: 'managed',
      authUrl: 'managed',
      scope: 'managed',
      audience: 'managed',
      clientId: 'managed',
      clientSecret: 'managed',
    })
    expect(problems({ baseAddress: '' }, layers)).toEqual({ baseAddress: 'managed' })
    expect(problems({ realm: 'Analysts' }, layers)).toEqual({})
  })

  it('a change that leaves a connection without a base address is refused', () => {
    expect(problems({})).toEqual({ baseAddress: 'missing' })
    expect(problems({ baseAddress: '' }, { user: address })).toEqual({ baseAddress: 'missing' })
    expect(problems({ ...typed, baseAddress: 'ftp://x' })).toEqual({ baseAddress: 'notAnAddress' })
  })
})

describe('a change of the provider', () => {
  it.each(Object.keys(typed) as (keyof typeof typed)[])('is refused as incomplete if it leaves out %s', (field) => {
    expect(problems({ ...address, ...typed, [field]: '' })).toEqual({ [field]: 'missing' })
    expect(problems({ [field]: '' }, { user: { ...address, ...provider } })).toEqual({ [field]: 'missing' })
  })

  it.each(['policy', 'environment'] as const)(
    'SECURITY: a user can’t set a provider if the client secret is from the %s',
    (source) => {
      const { clientSecret: _, ...values } = typed
      const layers = { [source]: { clientSecret: clientSecret('theirs'), clientId: 'theirs' }, user: address }
      const { clientId: __, ...open } = values
      expect(problems(open, layers)).toEqual({ authUrl: 'managedSecret' })
      expect(problems({ authUrl: values.authUrl }, layers)).toMatchObject({ authUrl: 'managedSecret' })
      expect(problems({ scope: 'openid' }, layers)).toMatchObject({ authUrl: 'managedSecret' })
      expect(problems({ realm: 'Analysts' }, layers)).toEqual({})
    },
  )

  it('SECURITY: if the policy forbids providers, a change with a client secret is refused', () => {
    const layers = { policy: { authUrl: null } as unknown as Layer, user: address }
    expect(problems({ scope: 'a', audience: 'b', clientId: 'c', clientSecret: 'd' }, layers)).toEqual({
      authUrl: 'managed',
    })
  })

  it('SECURITY: if the provider’s address changes, the client secret must be entered again', () => {
    const user = { ...address, ...provider }
    const authUrl = 'https://elsewhere.example'
    expect(problems({ authUrl }, { user })).toEqual({ clientSecret: 'enterAgain' })
    expect(own({ authUrl, clientSecret: 'new' }, { user }).clientSecret?.reveal()).toBe('new')
    expect(problems({ authUrl: 'https://Login.example.com/' }, { user })).toEqual({})
    expect(problems({ baseAddress: 'https://staging.example.com' }, { user })).toEqual({})
  })
})

describe('resolveConnection', () => {
  it('prefers the policy to the environment, and the environment to the user', () => {
    const a = { baseAddress: 'https://a.example' }
    const b = { baseAddress: 'https://b.example' }
    const c = { baseAddress: 'https://c.example' }
    expect(resolveConnection(layers({ policy: a, environment: b, user: c }))).toMatchObject({ ...a, source: 'policy' })
    expect(resolveConnection(layers({ environment: b, user: c }))).toMatchObject({ ...b, source: 'environment' })
    expect(resolveConnection(layers({ user: c }))).toMatchObject({ ...c, source: 'user' })
  })

  it('returns a provider only if some source sets each of its values', () => {
    const user = { baseAddress: 'https://data.example.com' }
    const { clientSecret: secret, ...rest } = provider
    expect(resolveConnection(layers({ user: { ...user, ...rest } }))?.identityProvider).toBeUndefined()
    expect(
      resolveConnection(
        layers({
          environment: { authUrl: rest.authUrl ?? '', clientSecret: secret ?? clientSecret('') },
          user: { ...user, ...rest },
        }),
      )?.identityProvider,
    ).toMatchObject({ realm: 'Username-Password-Authentication', providerDomain: 'login.example.com' })
  })
})

it('a new display name doesn’t end the session', () => {
  const baseAddress = 'https://data.example.com'
  const [unnamed, named] = [{ baseAddress }, { baseAddress, displayName: 'Data platform' }].map((user) =>
    resolveConnection(layers({ user })),
  )
  expect(named && connectionView(named)).toMatchObject({ displayName: 'Data platform', host: 'data.example.com' })
  expect(unnamed && connectionView(unnamed)).not.toHaveProperty('displayName')
  expect(isSameConnection(unnamed, named)).toBe(true)
})

it('a variable that can’t be used is reported, and the other variables still apply', () => {
  const { layer, problems } = readEnvironment({
    LATCHKEY_BASE_URL: 'http://data.example.com',
    LATCHKEY_SSO_SCOPE: 'openid',
  })
  expect(layer).toEqual({ scope: 'openid' })
  expect(problems).toEqual([
    { source: 'environment', where: 'LATCHKEY_BASE_URL', problem: 'unusable', defect: { kind: 'notHttps' } },
  ])
})
