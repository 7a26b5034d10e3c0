import { expect, test } from 'vitest'
import { password } from '../../base/secret.ts'
import { passwordRealmGrant } from './password-realm.ts'
import { clientOf, describeGrant, PAIR } from './testing/grant-contract.ts'

const input = { username: 'ana:finance', password: password('a longer quiet harbour') }

describeGrant('password realm', { make: (answers) => passwordRealmGrant(clientOf(answers)), input })

test('the grant signs in and refreshes at the provider, but can’t revoke tokens or change the password', async () => {
  const provider = clientOf()
  const grant = passwordRealmGrant(provider)
  const { refreshToken } = PAIR
  if (refreshToken === undefined) throw new Error('no refresh token')
  await grant.begin(input)
  await grant.refresh?.(refreshToken)
  expect(grant.issuer).toBe(provider.issuer)
  expect(provider.login.mock.calls).toEqual([[input]])
  expect(provider.refresh.mock.calls).toEqual([[refreshToken]])
  expect(grant.revoke).toBeUndefined()
  expect(grant.changePassword).toBeUndefined()
})
