/** These tests change rows of the table of settings, so they load the code only after that. */
import { expect, it } from 'vitest'
import type { SettingRow } from '../../contract/setting-rows.ts'
import { SETTINGS } from '../../contract/settings.ts'

const change = (name: keyof typeof SETTINGS, row: Partial<SettingRow>) => Object.assign(SETTINGS[name], row)
change('scope', { user: undefined })
change('audience', { kind: 'secret', default: undefined, user: 'keychain' })

const { planChange } = await import('./layers.ts')
const { UserSettings } = await import('./user-settings.ts')
const { clientSecret } = await import('../base/secret.ts')

it('SECURITY: the page can’t set a value that users must not set', () => {
  const layers = { policy: {}, environment: {}, user: { baseAddress: 'https://data.example.com' } }
  expect(planChange(layers, { scope: 'openid' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { scope: '' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { realm: 'Analysts' })).toMatchObject({ ok: true })
})

it('SECURITY: no setting of the kind `secret` is written to the settings file', () => {
  const content: Record<string, unknown> = {}
  const set = (key: string, value: unknown) => {
    content[key] = value
  }
  const user = new UserSettings({ get: (key) => content[key], set })
  const layer = { baseAddress: 'https://data.example.com', clientSecret: clientSecret('hush') }
  // `audience` is a secret only at run time, so TypeScript still sees a string.
  user.save('default', { ...layer, audience: clientSecret('hush') as unknown as string })
  expect(content['connection']).toEqual({ baseAddress: 'https://data.example.com' })
})
