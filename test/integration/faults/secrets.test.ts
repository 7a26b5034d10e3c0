/** Secrets are never sent to another origin, and never shown. */
import { describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { loadTexts } from '../../../text/index.ts'
import { running } from '../../support/running.ts'
import { injectAt } from './faults.ts'
import { echoServer, tlsListener } from './odd-servers.ts'
import { ACT, callOf, OPERATIONS, START } from './operations.ts'
import { Rig, SECOND } from './rig.ts'

describe('nothing is sent to the target of a redirect', () => {
  // A redirect with 307 keeps the method and the body.
  it.for(OPERATIONS)('%s', async (operation) => {
    const rig = await running(Rig.start())
    const instance = await START[operation](rig)
    const identity = selfSignedCertificate()
    const { port } = rig.meets(await tlsListener(identity))
    const trusted = [...((await rig.connectivity.trusted?.()) ?? []), identity.cert]
    const locations = [
      `https://127.0.0.1:${port}/auth/${operation}`,
      `http://127.0.0.1:${rig.elsewhere.port}/auth/${operation}`,
      `//127.0.0.1:${port}/`,
      `https://127.0.0.1@127.0.0.1:${port}/`,
      '/elsewhere',
    ]
    for (const location of locations) {
      rig.heals(instance)
      instance.connectivity = { ...rig.connectivity, trusted: async () => trusted }
      injectAt(rig, operation, { kind: 'status', status: 307, type: 'empty', headers: { Location: location } })
      const before = instance.failures.length
      await ACT[operation](instance)
      expect(instance.failures.at(before)).toMatchObject({
        call: callOf(operation),
        failure: { code: 'unreachable' },
      })
    }
    expect(rig.overheard).toEqual([])
    const paths = [...rig.service.requests, ...rig.provider.requests].map(({ path }) => path)
    expect(paths.filter((path) => !/^\/(?:(?:auth|oauth|mfa|\.well-known)\/[\w-]+|authorize)$/.test(path))).toEqual([])
  })
})

describe('a server’s text that repeats credentials is shown without them', () => {
  const rows = OPERATIONS.flatMap((operation) => [401, 422].map((status) => ({ operation, status })))
  it.for(rows)('$operation, $status', async ({ operation, status }) => {
    const rig = await running(Rig.start())
    const instance = await START[operation](rig)
    const identity = selfSignedCertificate()
    const { port, stop } = await echoServer(identity, status)
    const address = `https://127.0.0.1:${port}`
    instance.connectivity = { baseAddress: address, authAddress: address, trusted: async () => [identity.cert] }
    const acting = ACT[operation](instance).finally(stop)
    await rig.rest()
    // After a refusal, the app waits five seconds, because another instance of the app may be writing a newer token.
    await rig.pass(5 * SECOND)
    const outcome = await acting
    const { failure } = instance.failures[0] ?? {}
    const texts = await loadTexts('en')
    const said = failure && texts.failure(failure, 'session', 'data.example')
    expect(failure?.serverText).toContain('[secret]')
    rig.expectNoSecret([outcome, instance.failures, instance.states, said])
  })
})
