import { expect, it } from 'vitest'
import { DESTINATION_FIELDS, mayCopyToken, SETTINGS, USER_SWITCHES } from './settings.ts'

it('no two settings share an environment variable', () => {
  const variables = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  expect(new Set(variables).size).toBe(variables.length)
})

it('SECURITY: the user must confirm every address of a connection', () => {
  expect(DESTINATION_FIELDS).toEqual(['baseAddress', 'authUrl', 'dataAddress'])
})

it('SECURITY: agent and startAtLogin are the only switches that users can change', () => {
  expect(USER_SWITCHES).toEqual(['agent', 'startAtLogin'])
})

it('SECURITY: only a policy that turns the agent off forbids copying a token', () => {
  expect(mayCopyToken({ enabled: true, source: 'policy' })).toBe(true)
  expect(mayCopyToken({ enabled: false, source: 'user' })).toBe(true)
  expect(mayCopyToken({ enabled: false, source: 'policy' })).toBe(false)
})
