import { expect, it } from 'vitest'
import type { SettingRow } from './setting-rows.ts'
import {
  APP_SETTING_NAMES,
  DESTINATION_FIELDS,
  mayBeNull,
  SETTING_FIELDS,
  SETTINGS,
  USER_SWITCHES,
} from './settings.ts'

it('the compiler refuses an incomplete row, and a default of the wrong kind', () => {
  const rows: readonly SettingRow[] = [
    // @ts-expect-error There is no default.
    { kind: 'switch', variable: undefined, user: 'settings' },
    // @ts-expect-error A switch in the settings file needs a default.
    { kind: 'switch', default: undefined, variable: undefined, user: 'settings' },
    // @ts-expect-error A switch is true or false.
    { kind: 'switch', default: 'yes', variable: undefined, user: 'settings' },
    // @ts-expect-error The row doesn't say who may set the value.
    { kind: 'text', default: undefined, variable: undefined },
    // @ts-expect-error SECURITY: a secret isn't kept in the settings file.
    { kind: 'secret', default: undefined, variable: undefined, user: 'settings' },
  ]
  expect(rows).toHaveLength(5)
})

it('each setting belongs to a connection or to the app, and no two settings share an environment variable', () => {
  expect([...SETTING_FIELDS, 'connections', ...APP_SETTING_NAMES, 'tls'].sort()).toEqual(Object.keys(SETTINGS).sort())
  const variables = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  expect(new Set(variables).size).toBe(variables.length)
})

it('SECURITY: the user must confirm every address of a connection', () => {
  expect(DESTINATION_FIELDS).toEqual(['baseAddress', 'authUrl'])
})

it('SECURITY: agent and startAtLogin are the only switches that users can change', () => {
  expect(USER_SWITCHES).toEqual(['agent', 'startAtLogin'])
})

it('the policy can lock all values of a connection as empty, except its secret', () => {
  expect(SETTING_FIELDS.filter((field) => !mayBeNull(field))).toEqual(['clientSecret'])
  expect(APP_SETTING_NAMES.filter(mayBeNull)).toEqual([])
})
