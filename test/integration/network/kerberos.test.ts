/** A real squid that asks for a Kerberos ticket, and a proxy that asks twice, as NTLM does. */
import { stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
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
import { listening, testClient } from '../../support/local-servers.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
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
  const routeFor = createRouteFor({
    resolveProxy,
    env: {},
    credentials: { get: async () => undefined },
    clock,
    negotiator,
  })
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

/** A proxy that decides about a connection after its second token, as NTLM does. It answers with its own page. */
async function startTwoStepProxy() {
  const heard: string[] = []
  const server = createServer((client: Socket) => {
    let tokens = 0
    client
      .on('error', () => {})
      .on('data', function hear(bytes) {
        const [, token] = /Proxy-Authorization: NTLM (\S+)/.exec(String(bytes)) ?? []
        if (token !== undefined) tokens += 1
        heard.push(token ?? '')
        if (tokens < 2) {
          const challenge = token === undefined ? 'NTLM' : `NTLM ${Buffer.from('challenge').toString('base64')}`
          client.write(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}\r\n`)
          client.write('Content-Length: 20\r\n\r\n0123456789')
          setTimeout(() => client.write('0123456789'), 20)
          return
        }
        const far = connect(service.port, '127.0.0.1', () =>
          client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
        )
        client.off('data', hear)
        far.on('error', () => {})
        far.pipe(client).pipe(far)
      })
  })
  return { heard, ...(await listening(server)) }
}

describe('a negotiation with a proxy', () => {
  const ended: string[] = []
  const negotiator: Negotiator = {
    schemes: ['Negotiate', 'NTLM'],
    begin: async (scheme, host) => ({
      next: async (challenge) => Buffer.from(challenge ? `answer to ${Buffer.from(challenge)}` : `${scheme} ${host}`),
      end: () => ended.push(host),
    }),
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  it('sends the second token on the connection of the first', async () => {
    const proxy = await startTwoStepProxy()
    expect(await signIn(`localhost:${proxy.port}`, negotiator)).toMatchObject({ ok: true })
    proxy.stop()
    expect(proxy.heard).toEqual(['', base64('NTLM localhost'), base64('answer to challenge')])
    expect(ended).toEqual(['localhost'])
  })

  it.each([
    [['Negotiate', 'Basic realm="proxy"'], {}],
    [['Negotiate'], { cause: 'no Kerberos ticket' }],
    [['Digest realm="proxy"'], { cause: 'unsupported proxy authentication Digest' }],
  ])('that fails makes Latchkey ask for a password only if the proxy accepts one: %j', async (challenges, details) => {
    const proxy = await startHttpProxy({ names: {}, login: { username: 'ana', password: 'unknown' }, challenges })
    const begin = () => Promise.reject(new NegotiationError('no Kerberos ticket'))
    const outcome = await signIn(`127.0.0.1:${proxy.port}`, { ...negotiator, begin })
    await proxy.stop()
    expect(outcome).toMatchObject({ failure: { code: 'proxyAuthenticationRequired', details } })
    expect('cause' in details || (!outcome.ok && outcome.failure.details?.cause === undefined)).toBe(true)
  })
})
