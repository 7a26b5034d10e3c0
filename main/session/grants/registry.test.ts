import { describe, expect, test } from 'vitest'
import { GRANT_NAMES } from '../../../contract/grants.ts'
import { Secret } from '../secret.ts'
import { createGrants } from './registry.ts'
import { browserPorts } from './testing/browser-ports.ts'
import { clientOf, describeGrant } from './testing/grant-contract.ts'
import { CODE, PUSH, THIRD, ThirdGrant } from './testing/third-grant.ts'

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

  test('only has grants whose methods match their declared capabilities', () => {
    for (const grant of createGrants({ service: clientOf(), identityProvider: clientOf() }).values()) {
      const { description, refresh, revoke, changePassword } = grant
      const methods = { refresh: !!refresh, revoke: !!revoke, changePassword: !!changePassword }
      expect({ [description.name]: methods }).toEqual({ [description.name]: description.capabilities })
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

// Runs the tests that every grant must pass on a made-up grant with challenges.
describeGrant('made-up third', {
  make: (answers) => new ThirdGrant(clientOf(answers)),
  input: { username: 'ana' },
  solve: ({ description }) => (description.kind === 'choose' ? { option: 'otp' } : { code: new Secret('code', CODE) }),
})

test('cancelling ends a pending approval of the made-up third grant', async () => {
  const grant = new ThirdGrant(clientOf())
  const step = await grant.begin({ username: 'ana' })
  if (step.kind !== 'challenge') throw new Error(THIRD.name)
  const next = await step.challenge.answer({ option: PUSH.id })
  if (next.kind !== 'challenge') throw new Error(THIRD.name)
  const answered = next.challenge.answer({})
  next.challenge.cancel()
  await expect(answered).resolves.toMatchObject({ kind: 'failure' })
  expect(grant.isWaiting).toBe(false)
})
