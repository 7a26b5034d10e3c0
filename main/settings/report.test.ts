import { expect, it } from 'vitest'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import type { EnvironmentReading } from './layers.ts'
import { parsePolicy } from './policy.ts'
import { reportSettings } from './report.ts'
import { Settings } from './settings.ts'
import { UserSettings } from './user-settings.ts'

const SERVICE = 'https://data.example.com'

function reportOf({ policy = {}, environment = {}, own = {} }: Record<string, object>) {
  const settings = new Settings({
    policy: { reading: parsePolicy('policy.json', JSON.stringify(policy)) },
    environment: { layer: {}, app: {}, problems: [], ...environment } satisfies EnvironmentReading,
    user: new UserSettings({ get: (key) => new Map(Object.entries(own)).get(key), set: () => {} }),
    secrets: new MemoryStore(),
    confirm: async () => ({ ok: true, value: undefined }),
  })
  return reportSettings(settings)
}

it('the report lists all values that are set, with their sources', () => {
  const found = reportOf({
    policy: { updateFeed: 'https://updates.example.com', startAtLogin: true, scope: null },
    environment: { layer: { baseAddress: SERVICE } },
    own: { agent: false, connections: { trial: { baseAddress: 'https://trial.example.com' } } },
  })
  expect(found).toEqual([
    { name: 'baseAddress', value: SERVICE, source: 'environment' },
    { name: 'scope', value: null, source: 'policy', where: 'policy.json' },
    { name: 'agent', value: 'false', source: 'user' },
    { name: 'startAtLogin', value: 'true', source: 'policy', where: 'policy.json' },
    { name: 'updateFeed', value: 'https://updates.example.com', source: 'policy', where: 'policy.json' },
  ])
})

it('SECURITY: the report names a secret without its value', () => {
  const policy = { connections: { trial: { baseAddress: SERVICE, clientSecret: 'hush' } } }
  const found = reportOf({ policy, environment: { layer: { clientSecret: clientSecret('hush') } } })
  expect(found).toContainEqual({ name: 'clientSecret', source: 'environment' })
  expect(found).toContainEqual({ name: 'trial.clientSecret', source: 'policy', where: 'policy.json' })
  expect(JSON.stringify(found)).not.toContain('hush')
})
