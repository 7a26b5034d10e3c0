import { describe, expect, test } from 'vitest'
import { GRANT_NAMES } from '../../../contract/grants.ts'
import { browserPorts } from '../../../test/support/session/browser-ports.ts'
import { clientOf, describeGrant, PAIR } from '../../../test/support/session/grant-contract.ts'
import { password, refreshToken } from '../../base/secret.ts'
import { createGrants, passwordGrant, passwordRealmGrant } from './grants.ts'

const input = { username: 'ana', password: password('a longer quiet harbour') }
const { accessToken, refreshToken: refresh = refreshToken('') } = PAIR

describeGrant('password', { make: (answers) => passwordGrant(clientOf(answers)), input })
describeGrant('password realm', {
  make: (answers) => passwordRealmGrant(clientOf(answers)),
  input: { ...input, username: 'ana:finance' },
})

test('the password grant sends one request for each call', async () => {
  const service = clientOf()
  const grant = passwordGrant(service)
  await grant.begin(input)
  await grant.refresh?.(refresh)
  await grant.revoke?.(accessToken, refresh)
  await grant.changePassword?.(accessToken, input.password)
  expect(grant.issuer).toBe(service.issuer)
  expect(service.login.mock.calls).toEqual([[input]])
  expect(service.refresh.mock.calls).toEqual([[refresh]])
  expect(service.logout.mock.calls).toEqual([[accessToken, refresh]])
  expect(service.changePassword.mock.calls).toEqual([[accessToken, input.password]])
})

test('the password realm grant signs in and refreshes, but can’t revoke or change the password', async () => {
  const provider = clientOf()
  const grant = passwordRealmGrant(provider)
  await grant.begin(input)
  await grant.refresh?.(refresh)
  expect(grant.issuer).toBe(provider.issuer)
  expect(provider.login.mock.calls).toEqual([[input]])
  expect(provider.refresh.mock.calls).toEqual([[refresh]])
  expect(grant.revoke).toBeUndefined()
  expect(grant.changePassword).toBeUndefined()
})

describe('the grants of a connection', () => {
  test('are those in `GRANT_NAMES`, each with its issuer', () => {
    const service = { ...clientOf(), issuer: 'https://service.example' }
    const identityProvider = { ...clientOf(), issuer: 'https://provider.example' }
    const { server, ports } = browserPorts()
    const grants = createGrants({ service, identityProvider, browser: { server, ports } })
    expect([...grants.keys()]).toEqual([...GRANT_NAMES])
    for (const { description, issuer } of grants.values()) {
      expect(issuer).toBe(description.issuer === 'service' ? service.issuer : identityProvider.issuer)
    }
  })

  test('are only the service’s own if no identity provider is set', () => {
    const grants = createGrants({ service: clientOf() })
    expect([...grants.values()].map(({ description }) => description.issuer)).toEqual(['service'])
  })

  test('SECURITY: a grant can’t be found under the name of an inherited property', () => {
    expect(createGrants({ service: clientOf() }).get('constructor')).toBeUndefined()
  })
})
