import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { type DemoService, startDemoService } from '../../../demo/service.ts'
import { ANA } from '../../../demo/users.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { password } from '../../../main/base/secret.ts'
import { createNegotiator, type Negotiator } from '../../../main/network/negotiate.ts'
import { NegotiationError } from '../../../main/network/negotiation.ts'
import { createRouteFor } from '../../../main/network/routes.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { type Realm, startRealm } from '../../support/kerberos.ts'
import { testClient } from '../../support/local-servers.ts'
import { linuxOnly } from '../../support/systems.ts'

const identity = selfSignedCertificate({ host: 'service.test' })
let service: DemoService
beforeAll(async () => {
  service = await startDemoService({ tls: identity })
})
afterAll(() => service.stop())

function signIn(proxy: string, negotiator: Negotiator) {
  const clock = new DeadlineClock(systemTime)
  const resolveProxy = async () => `PROXY ${proxy}`
  const credentials = { get: async () => undefined }
  const routeFor = createRouteFor({ resolveProxy, env: {}, credentials, clock, negotiator })
  const http = testClient({ clock, routeFor, trusted: async () => [identity.cert] })
  const baseAddress = `https://service.test:${service.port}`
  return createAuthService({ baseAddress, http }).login({ username: ANA.username, password: password(ANA.password) })
}

const refused = (cause: string) => ({
  ok: false,
  failure: { code: 'proxyAuthenticationRequired', details: { status: 407, cause } },
})

describe('a proxy that asks for Kerberos', linuxOnly('the realm and its proxy are programs of Debian'), () => {
  let realm: Realm
  beforeAll(async () => {
    realm = await startRealm(['service.test'])
  })
  afterAll(() => realm.stop())
  const system = createNegotiator(process.platform)

  it('gets the user’s ticket for every connection', async () => {
    realm.signIn()
    const asked = [1, 2, 3, 4].map(() => signIn(`localhost:${realm.port}`, system))
    expect(await Promise.all(asked)).toMatchObject(Array(4).fill({ ok: true }))
  })

  it('doesn’t block the app’s file access while the ticket server doesn’t answer', async () => {
    realm.signIn()
    realm.answer(false)
    const asked = await Promise.all(Array.from({ length: 6 }, () => system.begin('Negotiate', 'localhost')))
    const [first, ...others] = asked.map((each) => each.next(undefined).catch((error: unknown) => error))
    try {
      const started = Date.now()
      while (Date.now() - started < 1_000) await stat(tmpdir())
    } finally {
      // The first call still waits for the ticket server. `end` frees what that call uses once the call is over.
      for (const each of asked) each.end()
      realm.answer(true)
    }
    expect(await first).toBeInstanceOf(Uint8Array)
    expect(await Promise.all(others)).toEqual(Array(5).fill(expect.any(NegotiationError)))
  })

  it('is named in the failure, with the reason, if the user has no ticket for it or this system has no library', async () => {
    realm.signOut()
    expect(await signIn(`localhost:${realm.port}`, system)).toMatchObject(refused('no Kerberos ticket'))
    realm.signIn()
    expect(await signIn(`127.0.0.1:${realm.port}`, system)).toMatchObject(refused('no Kerberos ticket'))
    const negotiator = createNegotiator('win32')
    expect(await signIn(`localhost:${realm.port}`, negotiator)).toMatchObject(refused('no Kerberos library'))
  })
})
