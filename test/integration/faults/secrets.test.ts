import { expect, it } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { loadTexts } from '../../../text/index.ts'
import { running } from '../../support/running.ts'
import { echoServer } from './odd-servers.ts'
import { ACT, OPERATIONS, prepare } from './operations.ts'
import { Rig, SECOND } from './rig.ts'

it.for(OPERATIONS)(
  'SECURITY: a server’s text that repeats credentials is shown without them: %s',
  async (operation) => {
    const rig = await running(Rig.start())
    await prepare(rig, operation)
    const identity = selfSignedCertificate()
    const { port, stop } = await echoServer(identity, 401)
    const address = `https://127.0.0.1:${port}`
    rig.connectivity = { baseAddress: address, authAddress: address, trusted: async () => [identity.cert] }
    const acting = ACT[operation](rig).finally(stop)
    await rig.rest()
    // After a refusal, the app waits five seconds, because another instance of the app may be writing a newer token.
    await rig.pass(5 * SECOND)
    const outcome = await acting
    const { failure } = rig.failures[0] ?? {}
    const texts = await loadTexts('en')
    const said = failure && texts.failure(failure, 'session', 'data.example')
    expect(failure?.serverText).toContain('[secret]')
    rig.expectNoSecret([outcome, rig.failures, rig.states, said])
  },
)
