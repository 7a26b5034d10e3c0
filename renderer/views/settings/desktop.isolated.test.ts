// @vitest-environment happy-dom
/**
 * Tests that a new switch appears in Settings, and that a lock doesn't depend on the sentence that gives its reason. The
 * test adds the switch's row and its label before other code is loaded.
 */
import { act, cleanup, screen } from '@testing-library/preact'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { APP_ROWS, type SettingRow } from '../../../contract/setting-rows.ts'
import type { SwitchView } from '../../../contract/views.ts'

/** Replaces the sentences that say why a setting is locked. */
const reasons = vi.hoisted((): { all?: { readonly reason: string | undefined } } => ({}))

const row: SettingRow = { kind: 'switch', default: true, variable: 'LATCHKEY_SOUND', user: 'settings' }
Object.assign(APP_ROWS, { sound: row })

vi.mock('../../../text/en/settings.ts', async (load) => {
  const { enSettings } = await load<typeof import('../../../text/en/settings.ts')>()
  const withLabel = (...parameters: Parameters<typeof enSettings>) => {
    const texts = enSettings(...parameters)
    Object.assign(texts.desktop.switches, { sound: 'Play a sound' })
    const managed: typeof texts.managed = (...why) => (reasons.all ? reasons.all.reason : texts.managed(...why))
    return { ...texts, managed }
  }
  return { enSettings: withLabel }
})
const { switchesOf } = await import('../../../contract/testing.ts')
const { callsOf, field, openSettings, sessions, settings, viewOf } = await import('../../testing.tsx')

afterEach(() => {
  cleanup()
  delete reasons.all
})

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

describe.each([undefined, ''])('if the texts give %j as the reason', (reason) => {
  test.each(['policy', 'environment'] as const)('a switch that the %s sets stays locked', async (source) => {
    reasons.all = { reason }
    const { asked } = await open({ enabled: false, source })
    await turn()
    expect(asked).toEqual([])
    expect(sound().getAttribute('aria-disabled')).toBe('true')
    expect(sound().getAttribute('aria-describedby')).toBeNull()
  })

  test('a managed text field and a managed choice stay locked', async () => {
    reasons.all = { reason }
    const managed = { ...settings, audience: { source: 'policy' }, flow: { source: 'policy' } } as const
    await openSettings(viewOf(sessions.signedOut, { settings: managed }))
    expect(field('Audience').readOnly).toBe(true)
    const chosen = () => screen.getByRole('radio', { checked: true, hidden: true }).textContent
    const before = chosen()
    await act(async () => screen.getByRole('radio', { checked: false, hidden: true }).click())
    expect(chosen()).toBe(before)
  })
})
