import { expect, it } from 'vitest'
import { variableLines } from '../../demo/variables.ts'
import { parseGreeting } from './demo.mjs'

it('parseGreeting separates the variables in the demo’s output from the text to print', () => {
  const text = `Latchkey demo

  Username  ana

LATCHKEY_AUTH_URL=http://127.0.0.1:4001
LATCHKEY_SSO_SCOPE=openid offline_access
LATCHKEY_BASE_URL=http://127.0.0.1:4000
`
  expect(parseGreeting(text)).toEqual({
    address: 'http://127.0.0.1:4000',
    env: {
      LATCHKEY_AUTH_URL: 'http://127.0.0.1:4001',
      LATCHKEY_SSO_SCOPE: 'openid offline_access',
      LATCHKEY_BASE_URL: 'http://127.0.0.1:4000',
    },
    greeting: 'Latchkey demo\n\n  Username  ana',
  })
})

it('parseGreeting finds the service’s address in the line that the demo prints', () => {
  expect(parseGreeting(variableLines({ baseAddress: 'http://127.0.0.1:4000' })).address).toBe('http://127.0.0.1:4000')
})
