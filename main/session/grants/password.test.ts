import { expect, test } from 'vitest'
import { password } from '../../base/secret.ts'
import { passwordGrant } from './password.ts'
import { clientOf, describeGrant, PAIR } from './testing/grant-contract.ts'

const input = { username: 'ana', password: password('a longer quiet harbour') }

describeGrant('password', { make: (answers) => passwordGrant(clientOf(answers)), input })

test('each call sends one request to the service, with the arguments of the call', async () => {
  const service = clientOf()
  const grant = passwordGrant(service)
  const { accessToken, refreshToken } = PAIR
  if (refreshToken === undefined) throw new Error('no refresh token')
  await grant.begin(input)
  await grant.refresh?.(refreshToken)
  await grant.revoke?.(accessToken, refreshToken)
  await grant.changePassword?.(accessToken, input.password)
  expect(grant.issuer).toBe(service.issuer)
  expect(service.login.mock.calls).toEqual([[input]])
  expect(service.refresh.mock.calls).toEqual([[refreshToken]])
  expect(service.logout.mock.calls).toEqual([[accessToken, refreshToken]])
  expect(service.changePassword.mock.calls).toEqual([[accessToken, input.password]])
})
