import { describe, expect, it } from 'vitest'
import { UserSettings } from './user-settings.ts'

function store(content: Record<string, unknown> = {}) {
  return { content, get: (key: string) => content[key], set: (key: string, value: unknown) => (content[key] = value) }
}

describe('UserSettings', () => {
  it('keeps the lengths of the last three sessions at each issuer, and ignores damaged entries', () => {
    const file = store({ sessionLengths: { 'https://a.example': [5, 'x'], 'https://b.example': [5, 6, 7] } })
    const settings = new UserSettings(file)
    settings.addLength('https://a.example', 3.6)
    settings.addLength('https://b.example', 8)
    expect(file.content).toEqual({ sessionLengths: { 'https://a.example': [4], 'https://b.example': [6, 7, 8] } })
    expect(settings.lengthsAt('constructor')).toEqual([])
    expect(new UserSettings(store({ sessionLengths: 'x' })).lengthsAt('https://b.example')).toEqual([])
  })

  it('SECURITY: reads no secret, no update feed and no other value from the settings file that users must not set', () => {
    const content = { startAtLogin: true, updateFeed: 'https://updates.example', userConnections: true }
    const settings = new UserSettings(store({ ...content, connection: { clientSecret: 'hush' } }))
    expect([settings.app.layer, settings.layer('default').layer]).toEqual([{}, {}])
  })

  it('SECURITY: lists and removes a stored connection by its own name only, even if it is that of an inherited property', () => {
    const connection = '{"baseAddress": "https://b.example.com"}'
    const names = ['default', 'With Space', '__proto__', 'constructor'].map((name) => `"${name}": ${connection}`)
    const file = store(JSON.parse(`{"connections": {${names.join()}}}`))
    const settings = new UserSettings(file)
    expect(settings.names).toEqual(['constructor'])
    expect(settings.layer('constructor').layer).toEqual({ baseAddress: 'https://b.example.com' })
    settings.remove('constructor')
    expect(settings.names).toEqual([])
  })

  it('keeps a keychain marker for each address, and ignores a damaged one', () => {
    const markers = { 'https://a.example.com': 'of a later version', 'https://b.example.com': 'stored' }
    const settings = new UserSettings(store({ markers }))
    expect(settings.markers).toEqual({ 'https://b.example.com': 'stored' })
    settings.set('https://c.example.com', 'stored')
    settings.set('https://b.example.com', 'signedOut')
    settings.clear('https://c.example.com')
    expect(settings.get('https://b.example.com')).toBe('signedOut')
    expect(settings.get('https://c.example.com')).toBeUndefined()
    expect(new UserSettings(store({ markers: 'nonsense' })).get('https://a.example.com')).toBeUndefined()
  })
})

const [A, B] = ['https://a.example.com', 'https://b.example.com']

it.each<[string, (settings: UserSettings) => void]>([
  ['is removed', (settings) => settings.remove('staging')],
  ['gets another address', (settings) => settings.save('staging', { baseAddress: 'https://c.example.com' })],
])('SECURITY: when a connection %s, only its own last used authenticator is forgotten', (_, change) => {
  const file = store({ connection: { baseAddress: A }, connections: { staging: { baseAddress: B } } })
  const settings = new UserSettings(file)
  settings.usualAuthenticator(A).set('ana', 'sms|1')
  const kept = structuredClone(file.content['usualAuthenticators'])
  settings.usualAuthenticator(B).set('ana', 'sms|2')
  settings.save('staging', { baseAddress: B, scope: 'openid' })
  expect(settings.usualAuthenticator(B).is('ana', 'sms|2')).toBe(true)
  expect(settings.usualAuthenticator(B).is('ana.m', 'sms|2')).toBe(false)
  expect(JSON.stringify(file.content)).not.toMatch(/ana|sms/)
  change(settings)
  expect(file.content['usualAuthenticators']).toEqual(kept)
})
