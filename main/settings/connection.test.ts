import { describe, expect, it } from 'vitest'
import { clientSecret } from '../base/secret.ts'
import { isSameConnection } from '../session/connection.ts'
import { connectionView } from '../session/connection-view.ts'
import { resolveConnection } from './connection.ts'
import type { Layer } from './layers.ts'

const provider: Layer = {
  authUrl: 'https://login.example.com',
  scope: 'openid',
  audience: 'https://data.example.com/api',
  clientId: 'latchkey',
  clientSecret: clientSecret('hush'),
}
const layers = (change: { policy?: Layer; environment?: Layer; user?: Layer }) => ({
  policy: {},
  environment: {},
  user: {},
  ...change,
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

it('a new display name doesn’t replace the session', () => {
  const baseAddress = 'https://data.example.com'
  const [unnamed, named] = [{ baseAddress }, { baseAddress, displayName: 'Data platform' }].map((user) =>
    resolveConnection(layers({ user })),
  )
  expect(named && connectionView(named)).toMatchObject({ displayName: 'Data platform', host: 'data.example.com' })
  expect(unnamed && connectionView(unnamed)).not.toHaveProperty('displayName')
  expect(isSameConnection(unnamed, named)).toBe(true)
})
