/** This test changes a row of the table of settings, so it loads the code only after that. */
import { expect, it } from 'vitest'
import type { SettingRow } from '../../contract/setting-rows.ts'
import { SETTINGS } from '../../contract/settings.ts'

const row: Partial<SettingRow> = { user: undefined }
Object.assign(SETTINGS.scope, row)

const { planChange } = await import('./layers.ts')

it('SECURITY: the page can’t set a value that users must not set', () => {
  const layers = { policy: {}, environment: {}, user: { baseAddress: 'https://data.example.com' } }
  expect(planChange(layers, { scope: 'openid' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { scope: '' })).toEqual({ ok: false, problems: { scope: 'managed' } })
  expect(planChange(layers, { realm: 'Analysts' })).toMatchObject({ ok: true })
})
