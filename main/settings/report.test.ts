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

it('SECURITY: the report lists all values that are set and their sources, but a secret without its value', () => {
  const found = reportOf({
    policy: {
      updateFeed: 'https://updates.example.com',
      scope: null,
      connections: { trial: { baseAddress: 'https://trial.example.com', clientSecret: 'hush' } },
    },
    environment: { layer: { baseAddress: SERVICE, clientSecret: clientSecret('hush') } },
    own: { agent: false },
  })
  const managed = { source: 'policy', where: 'policy.json' }
  expect(found).toEqual(
    expect.arrayContaining([
      { name: 'scope', value: null, ...managed },
      { name: 'clientSecret', source: 'environment' },
      { name: 'trial.baseAddress', value: 'https://trial.example.com', ...managed },
      { name: 'trial.clientSecret', ...managed },
      { name: 'agent', value: 'false', source: 'user' },
      { name: 'updateFeed', value: 'https://updates.example.com', ...managed },
    ]),
  )
  expect(JSON.stringify(found)).not.toContain('hush')
})
