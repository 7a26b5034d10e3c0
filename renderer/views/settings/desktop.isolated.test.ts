// @vitest-environment happy-dom
/** Tests that a new switch appears in Settings. The test adds its row and its label before other code is loaded. */
import { act, cleanup, screen } from '@testing-library/preact'
import { afterEach, expect, test, vi } from 'vitest'
import { APP_ROWS, type SettingRow } from '../../../contract/setting-rows.ts'
import type { SwitchView } from '../../../contract/views.ts'

const row: SettingRow = { kind: 'switch', default: true, variable: 'LATCHKEY_SOUND', user: 'settings' }
Object.assign(APP_ROWS, { sound: row })

vi.mock('../../../text/en/settings.ts', async (load) => {
  const { enSettings } = await load<typeof import('../../../text/en/settings.ts')>()
  const withLabel = (...parameters: Parameters<typeof enSettings>) => {
    const texts = enSettings(...parameters)
    Object.assign(texts.desktop.switches, { sound: 'Play a sound' })
    return texts
  }
  return { enSettings: withLabel }
})
const { switchesOf } = await import('../../../contract/testing.ts')
const { callsOf, openSettings, sessions, viewOf } = await import('../../testing.tsx')

afterEach(cleanup)

const open = (sound: SwitchView) => {
  const given: object = { sound }
  return openSettings(viewOf(sessions.signedOut, { switches: switchesOf(given) }))
}
const sound = () => screen.getByRole('switch', { name: 'Play a sound' })
const turn = () => act(async () => sound().click())

test('the form shows the new switch, and sets it', async () => {
  const { asked } = await open({ enabled: true })
  expect(sound().getAttribute('aria-checked')).toBe('true')
  await turn()
  expect(callsOf(asked)).toEqual([['setSwitch', { name: 'sound', enabled: false }]])
})

test.each([
  ['policy', 'Set by your administrator.'],
  ['environment', 'Set by LATCHKEY_SOUND.'],
] as const)('the form locks the new switch if the %s sets it, and says so', async (source, reason) => {
  const { asked } = await open({ enabled: false, source })
  await turn()
  expect(asked).toEqual([])
  expect(document.getElementById(sound().getAttribute('aria-describedby') ?? '')?.textContent).toBe(reason)
})
