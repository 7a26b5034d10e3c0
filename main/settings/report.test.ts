import { expect, it } from 'vitest'
import { openSettings } from '../../test/support/open-settings.ts'
import { clientSecret } from '../base/secret.ts'
import { reportSettings } from './report.ts'

it('SECURITY: the report lists all values that are set and their sources, but a secret without its value', () => {
  const baseAddress = 'https://trial.example.com'
  const { settings } = openSettings({
    policy: { scope: null, connections: { trial: { baseAddress, clientSecret: 'hush' } } },
    environment: { clientSecret: clientSecret('hush') },
    own: { agent: false },
  })
  const managed = { source: 'policy', where: 'policy.json' }
  expect(reportSettings(settings)).toEqual([
    { name: 'baseAddress', value: null, source: 'policy' },
    { name: 'scope', value: null, ...managed },
    { name: 'clientSecret', source: 'environment' },
    { name: 'trial.baseAddress', value: baseAddress, ...managed },
    { name: 'trial.clientSecret', ...managed },
    { name: 'agent', value: 'false', source: 'user' },
  ])
})
