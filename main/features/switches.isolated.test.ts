/**
 * Tests that a row alone is enough for the call that sets a switch, and for the feature that shows and stores it. The
 * test adds the row before any other code is loaded.
 */
import { beforeEach, expect, it } from 'vitest'
import { APP_ROWS, type SettingRow } from '../../contract/setting-rows.ts'
import type { UserSwitch } from '../../contract/settings.ts'

const row: SettingRow = { kind: 'switch', default: true, variable: 'LATCHKEY_SOUND', user: 'settings' }
Object.assign(APP_ROWS, { sound: row })

const { calls } = await import('../../contract/calls.ts')
const { OK } = await import('../../contract/failures.ts')
const { AppSettings } = await import('../settings/app-setting.ts')
const { readEnvironment } = await import('../settings/layers.ts')
const { parsePolicy } = await import('../settings/policy.ts')
const { UserSettings } = await import('../settings/user-settings.ts')
const { MANAGED, Switches } = await import('./switches.ts')
const { is } = await import('valibot')

/** TypeScript doesn't know the new row. */
const sound = 'sound' as UserSwitch

let file: Record<string, unknown>
beforeEach(() => {
  file = {}
})

function open(policy: object, variables: Record<string, string> = {}) {
  const set = (key: string, value: unknown) => {
    file[key] = value
  }
  const switches = new Switches({
    settings: new AppSettings({
      policy: () => parsePolicy('policy.json', JSON.stringify(policy)).app,
      environment: readEnvironment(variables).app,
      user: new UserSettings({ get: (key) => file[key], set }),
    }),
    desktop: { startAtLogin: undefined },
    apply: {},
    report: () => {},
    changed: () => {},
  })
  const turn = (enabled: boolean) => switches.handlers.setSwitch({ name: sound, enabled })
  return { turn, shown: () => switches.view().switches[sound] }
}

it('the call accepts the new switch', () => {
  expect(is(calls.setSwitch, { name: sound, enabled: false })).toBe(true)
})

it('the view shows the default of the new switch, then the user’s choice from the settings file', async () => {
  const { turn, shown } = open({})
  expect(shown()).toEqual({ enabled: true })
  expect(await turn(false)).toEqual(OK)
  expect(file).toEqual({ sound: false })
  expect(shown()).toEqual({ enabled: false, source: 'user' })
})

it.each([
  ['policy', { sound: false }, {}],
  ['environment', {}, { LATCHKEY_SOUND: 'false' }],
] as const)('SECURITY: the page can’t change the new switch if the %s sets it', async (source, policy, variables) => {
  const { turn, shown } = open(policy, variables)
  expect(shown()).toEqual({ enabled: false, source })
  expect(await turn(true)).toEqual(MANAGED)
  expect(file).toEqual({})
})
