import { expect, test } from 'vitest'
import { SETTINGS } from '../contract/settings.ts'
import { variableLines } from './variables.ts'

test('each value is printed with its environment variable from the table of settings, in the given order', () => {
  const { scope, baseAddress } = SETTINGS
  expect(variableLines({ scope: 'openid offline_access', baseAddress: 'http://127.0.0.1:4000' })).toBe(
    `${scope.variable}=openid offline_access\n${baseAddress.variable}=http://127.0.0.1:4000`,
  )
})
