import { describe, expect, it } from 'vitest'
import { clientSecret, type Layer } from './layer.ts'
import { connectionView, Settings } from './settings.ts'
import { UserSettings } from './user-settings.ts'

function settings(environment: Layer = {}, content: Record<string, unknown> = {}) {
  const user = new UserSettings({ get: (key) => content[key], set: (key, value) => (content[key] = value) })
  const nothing = { layer: {}, problems: [] }
  return {
    content,
    settings: new Settings({ policy: nothing, environment: { layer: environment, problems: [] }, user }),
  }
}

describe('Settings', () => {
  it('keeps the user’s address, normalised', () => {
    const { settings: made } = settings()
    expect(made.setBaseAddress(' Data.Example.com/ ')).toEqual({ ok: true, value: undefined })
    expect(made.connection?.baseAddress).toBe('https://data.example.com')
  })

  it('says what is wrong with an address, and changes nothing', () => {
    const { settings: made, content } = settings({}, { connection: { baseAddress: 'https://data.example.com' } })
    const before = structuredClone(content)
    expect(made.setBaseAddress('http://data.example.com')).toMatchObject({
      failure: { code: 'invalidInput', details: { cause: 'notHttps' } },
    })
    expect(content).toEqual(before)
  })

  it('does not let the window change a managed address', () => {
    const { settings: made, content } = settings({ baseAddress: 'https://data.example.com' })
    expect(made.setBaseAddress('https://elsewhere.example')).toMatchObject({
      ok: false,
      failure: { details: { cause: 'managed' } },
    })
    expect(content).toEqual({})
  })

  it('tells the window nothing of the provider but that there is one', () => {
    const { settings: made } = settings({
      baseAddress: 'https://data.example.com',
      authUrl: 'https://login.example.com',
      scope: 'openid',
      audience: 'https://data.example.com/api',
      clientId: 'latchkey',
      clientSecret: clientSecret('hush'),
    })
    const connection = made.connection
    expect(connection && connectionView(connection)).toEqual({
      baseAddress: 'https://data.example.com',
      host: 'data.example.com',
      source: 'environment',
      methods: ['password', 'sso'],
    })
  })

  it('completes the provider with the keychain’s client secret, and prefers the environment’s', () => {
    const provider: Layer = {
      baseAddress: 'https://data.example.com',
      authUrl: 'https://login.example.com',
      scope: 'openid',
      audience: 'https://data.example.com/api',
      clientId: 'latchkey',
    }
    const { settings: without } = settings(provider)
    expect(without.connection?.identityProvider).toBeUndefined()
    without.keychainSecret = clientSecret('from the keychain')
    expect(without.connection?.identityProvider?.clientSecret.reveal()).toBe('from the keychain')

    const { settings: managed } = settings({ ...provider, clientSecret: clientSecret('from the environment') })
    managed.keychainSecret = clientSecret('from the keychain')
    expect(managed.connection?.identityProvider?.clientSecret.reveal()).toBe('from the environment')
  })
})
