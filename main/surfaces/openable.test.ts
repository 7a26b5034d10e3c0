import { expect, test } from 'vitest'
import { isOpenable } from './openable.ts'

const SIGN_IN = 'response_type=code&client_id=latchkey&code_challenge=x&code_challenge_method=S256&state=s'

test.each([`https://login.example.com/authorize?${SIGN_IN}`, `http://127.0.0.1:4711/auth?${SIGN_IN}`])(
  'a provider’s sign-in page may be opened: %s',
  (address) => {
    expect(isOpenable(new URL(address))).toBe(true)
  },
)

test.each([
  `http://login.example.com/authorize?${SIGN_IN}`,
  `file:///etc/passwd?${SIGN_IN}`,
  `smb://files.example.com/share?${SIGN_IN}`,
  `javascript:alert(1)?${SIGN_IN}`,
  `ms-msdt:/id?${SIGN_IN}`,
  `https://ana:secret@login.example.com/authorize?${SIGN_IN}`,
  'https://login.example.com/authorize',
  'https://elsewhere.example.com/?response_type=code',
])('no other address may be opened: %s', (address) => {
  expect(isOpenable(new URL(address))).toBe(false)
})
