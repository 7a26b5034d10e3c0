/**
 * Tests that the code works with other rows in the table of settings. The tests change rows before any other code is
 * loaded.
 */
import { expect, it } from 'vitest'
import type { SettingRow } from '../../contract/setting-rows.ts'
import { isLocked, SETTINGS, type SettingField } from '../../contract/settings.ts'

const change = (name: keyof typeof SETTINGS, row: Partial<SettingRow>) => Object.assign(SETTINGS[name], row)
change('agent', { variable: 'LATCHKEY_AGENT' })
change('updateFeed', { variable: 'LATCHKEY_UPDATE_FEED' })
change('scope', { user: undefined })
change('clientId', { default: 'latchkey' })
change('audience', { kind: 'secret', default: undefined, user: 'keychain' })

const { readEnvironment } = await import('./layers.ts')
const { takeVariables } = await import('./environment.ts')
const { planChange } = await import('./change.ts')
const { resolveConnection } = await import('./connection.ts')
const { UserSettings } = await import('./user-settings.ts')
const { clientSecret } = await import('./values.ts')

it.each([
  ['true', true],
  ['false', false],
])('a variable turns a switch on or off: %s', (LATCHKEY_AGENT, agent) => {
  expect(readEnvironment(takeVariables({ LATCHKEY_AGENT }))).toMatchObject({ app: { agent }, problems: [] })
})

it.each(['yes', '1', 'TRUE', ' true'])('a variable with the value %j does not set a switch', (LATCHKEY_AGENT) => {
  const { app, problems } = readEnvironment({ LATCHKEY_AGENT })
  expect(app).toEqual({})
  expect(problems).toEqual([{ source: 'environment', where: 'LATCHKEY_AGENT', problem: 'unusable' }])
})

it('a variable’s value “true” becomes a boolean only if the setting is a switch', () => {
  expect(readEnvironment({ LATCHKEY_SSO_REALM: 'true' }).layer).toEqual({ realm: 'true' })
})

it('SECURITY: a page can’t set a value that users may not set', () => {
  const layers = { policy: {}, environment: {}, user: { baseAddress: 'https://data.example.com' } }
  expect(planChange(layers, { scope: 'openid' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { scope: '' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { realm: 'Analysts' })).toMatchObject({ ok: true })
})

it.each<[SettingField, boolean]>([
  ['scope', true],
  ['realm', false],
])('the window locks a value only if users may not set it: %s, locked: %s', (field, locked) => {
  expect(isLocked(field, undefined)).toBe(locked)
})

it('SECURITY: no secret is written to the settings file, whatever its name', () => {
  const content: Record<string, unknown> = {}
  const set = (key: string, value: unknown) => {
    content[key] = value
  }
  const user = new UserSettings({ get: (key) => content[key], set })
  const layer = { baseAddress: 'https://data.example.com', clientSecret: clientSecret('hush') }
  // This file makes the setting `audience` a secret at run time. TypeScript still sees a string.
  user.save('default', { ...layer, audience: clientSecret('hush') as unknown as string })
  expect(content['connection']).toEqual({ baseAddress: 'https://data.example.com' })
})

it('a connection uses a setting’s default if no source sets it, and then the user need not set it', () => {
  const provider = { authUrl: 'https://login.example.com', flow: 'browser', scope: 'openid' } as const
  const layers = { policy: {}, environment: {}, user: { baseAddress: 'https://data.example.com', ...provider } }
  expect(resolveConnection(layers)?.identityProvider).toMatchObject({ ...provider, clientId: 'latchkey' })
  expect(planChange(layers, { realm: 'Analysts' })).toMatchObject({ ok: true })
  const own = { ...layers, user: { ...layers.user, clientId: 'own' } }
  expect(resolveConnection(own)?.identityProvider).toMatchObject({ clientId: 'own' })
})
