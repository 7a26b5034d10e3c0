import { describe, expect, test } from 'vitest'
import { GRANT_NAMES } from '../../../contract/grants.ts'
import { createGrants } from './registry.ts'
import { browserPorts } from './testing/browser-ports.ts'
import { clientOf } from './testing/grant-contract.ts'

describe('the registry', () => {
  test('has exactly the grants in `GRANT_NAMES`, each with its issuer', () => {
    const service = { ...clientOf(), issuer: 'https://service.example' }
    const identityProvider = { ...clientOf(), issuer: 'https://provider.example' }
    const { server, ports } = browserPorts()
    const grants = createGrants({ service, identityProvider, browser: { server, ports } })
    expect([...grants.keys()]).toEqual([...GRANT_NAMES])
    for (const { description, issuer } of grants.values()) {
      expect(issuer).toBe(description.issuer === 'service' ? service.issuer : identityProvider.issuer)
    }
  })

  test('has no grant of an identity provider that isn’t set up', () => {
    const grants = createGrants({ service: clientOf() })
    expect([...grants.values()].map(({ description }) => description.issuer)).toEqual(['service'])
  })

  test('SECURITY: finds no grant if the name is a property that every object inherits, such as `constructor`', () => {
    expect(createGrants({ service: clientOf() }).get('constructor')).toBeUndefined()
  })
})
