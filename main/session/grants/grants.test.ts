import { expect, test } from 'vitest'
import { GRANT_NAMES } from '../../../contract/grants.ts'
import { browserPorts } from '../../../test/support/session/browser-ports.ts'
import { clientOf, describeGrant } from '../../../test/support/session/grant-contract.ts'
import { password } from '../../base/secret.ts'
import { createGrants, passwordGrant, passwordRealmGrant } from './grants.ts'

const input = { username: 'ana:finance', password: password('a longer quiet harbour') }

describeGrant('password', { make: (login) => passwordGrant(clientOf(login)), input })
describeGrant('password realm', { make: (login) => passwordRealmGrant(clientOf(login)), input })

test('the grants of a connection are those that its settings allow, each with its issuer', () => {
  const service = { ...clientOf(), issuer: 'https://service.example' }
  const identityProvider = { ...clientOf(), issuer: 'https://provider.example' }
  const { server, ports } = browserPorts()
  const grants = createGrants({ service, identityProvider, browser: { server, ports } })
  expect([...grants.keys()]).toEqual([...GRANT_NAMES])
  for (const { description, issuer } of grants.values()) {
    expect(issuer).toBe(description.issuer === 'service' ? service.issuer : identityProvider.issuer)
  }
  expect([...createGrants({ service }).keys()]).toEqual(['password'])
})

test('SECURITY: a grant can’t be found under the name of an inherited property', () => {
  expect(createGrants({ service: clientOf() }).get('constructor')).toBeUndefined()
})
