import { expect, it } from 'vitest'
import {
  APP_SETTING_NAMES,
  DESTINATION_FIELDS,
  mayBeNull,
  mayCopyToken,
  SETTING_FIELDS,
  SETTINGS,
  USER_SWITCHES,
} from './settings.ts'

it('each setting belongs to a connection or to the app, and no two share an environment variable', () => {
  expect([...SETTING_FIELDS, 'connections', ...APP_SETTING_NAMES, 'tls'].sort()).toEqual(Object.keys(SETTINGS).sort())
  const variables = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  expect(new Set(variables).size).toBe(variables.length)
})

it('SECURITY: the user must confirm every address of a connection', () => {
  expect(DESTINATION_FIELDS).toEqual(['baseAddress', 'authUrl', 'dataAddress'])
})

it('SECURITY: agent and startAtLogin are the only switches that users can change', () => {
  expect(USER_SWITCHES).toEqual(['agent', 'startAtLogin'])
})

it('the policy can lock every value of a connection as empty, except the secret', () => {
  expect(SETTING_FIELDS.filter((field) => !mayBeNull(field))).toEqual(['clientSecret'])
  expect(APP_SETTING_NAMES.filter(mayBeNull)).toEqual([])
})

it.each([
  [true, undefined, true],
  [true, 'policy', true],
  [false, 'user', true],
  [false, 'environment', true],
  [false, 'policy', false],
] as const)('with the agent’s switch at %s, set by %s, a token may be copied: %s', (enabled, source, may) => {
  expect(mayCopyToken({ enabled, source })).toBe(may)
})
