import { expect, it } from 'vitest'
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
