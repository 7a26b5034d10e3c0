import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SessionView } from '../../contract/views.ts'
import { selfSignedCertificate, signedCertificate } from '../../demo/certificate.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { accessToken, password, refreshToken, clientSecret as secret } from '../../main/base/secret.ts'
import { MemoryStore } from '../../main/keychain/fallback-store.ts'
import { createNetwork } from '../../main/network/network.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { createIdentityProvider } from '../../main/service/identity-provider.ts'
import { sessionView } from '../../main/session/connection-view.ts'
import { grantsByName } from '../../main/session/grants/grant.ts'
import { passwordRealmGrant } from '../../main/session/grants/grants.ts'
import { SessionEngine } from '../../main/session/session-engine.ts'
import { readGuarded } from '../../main/settings/guarded-file.ts'
import type { Layer } from '../../main/settings/layers.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { Settings } from '../../main/settings/settings.ts'
import { UserSettings } from '../../main/settings/user-settings.ts'
import { notificationModel } from '../../main/surfaces/notices.ts'
import { trayModel } from '../../main/surfaces/tray-model.ts'
import { loadTexts } from '../../text/index.ts'
import { growth, LINEAR } from '../support/growth.ts'
import { listening, scriptedServer, tcpServer, testClient } from '../support/local-servers.ts'
import { ModelDesktop, startedDesktop } from '../support/session/model-desktop.ts'
import { ModelService } from '../support/session/model-service.ts'
import { ModelMarker } from '../support/session/model-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { WORST_TEXTS } from './busy.ts'
import { READERS } from './readers.ts'

const authority = selfSignedCertificate({ host: 'authority.test' })

/** A server that asks for a client certificate, refuses every token, and records whose certificate it was shown. */
async function certificateSeeker() {
  const shown: unknown[] = []
  const tls = { ...signedCertificate(authority), requestCert: true, rejectUnauthorized: false }
  const server = createServer(tls, ({ socket }, response) => {
    shown.push((socket as TLSSocket).getPeerCertificate().subject?.CN)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  })
  const { port, stop } = await listening(server)
  onTestFinished(stop)
  return { port, shown }
}

/** The HTTP client of a desktop with these settings. The policy also names a client certificate. */
function deskClient({ policy = {}, environment = {}, own }: { policy?: object; environment?: Layer; own: object }) {
  const folder = temporaryFolder()
  const file = (name: string, content: string) => {
    const at = path.join(folder, name)
    writeFileSync(at, content)
    return at
  }
  const computer = signedCertificate(authority, { host: 'desktop.test', commonName: 'Desktop of ana' })
  const clientCertificate = { certFile: file('pc.pem', computer.cert), keyFile: file('pc.key', computer.key) }
  const tls = { caFiles: [file('ca.pem', authority.cert)], clientCertificate }
  const reading = parsePolicy('policy.json', JSON.stringify({ ...policy, tls }))
  const settings = new Settings({
    policy: { reading },
    environment: { layer: environment, app: {}, problems: [] },
    user: new UserSettings({ get: (key) => (own as Record<string, unknown>)[key], set: () => {} }),
    secrets: new MemoryStore(),
    confirm: async () => ({ ok: true, value: undefined }),
  })
  const network = createNetwork({
    clock: new DeadlineClock(systemTime),
    env: {},
    platform: 'linux',
    resolveProxy: async () => 'DIRECT',
    credentials: { get: async () => undefined },
    policy: () => reading.tls ?? {},
    // These files are in a temporary folder, so they are read as on Windows, where Latchkey doesn't check who can change
    // them.
    readGuarded: (file) => readGuarded(file, 'win32'),
    managedHosts: () => settings.managedHosts,
  })
  return testClient(network.http)
}

/** The view of a session whose access token has these claims. */
async function signedInWith(claims: object): Promise<SessionView> {
  const desktop = new ModelDesktop()
  const { service } = desktop
  const issued = {
    accessToken: accessToken(`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`),
    refreshToken: refreshToken('r'),
  }
  service.client = (client) => ({
    ...ModelService.prototype.client.call(service, client),
    login: async () => ({ ok: true, value: issued }),
  })
  await desktop.start()
  await desktop.signIn()
  return sessionView(desktop.state, desktop.clock)
}

describe('A hostile service or identity provider', () => {
  test.each(READERS)(
    'SECURITY: a text of twice the length takes at most about twice the time to read: %s',
    (_, read) => {
      for (const worst of WORST_TEXTS) {
        const textOf = (length: number) => {
          const text = worst(length)
          return () => read(text)
        }
        const begins = JSON.stringify(worst(24))
        expect({ begins, growth: growth(textOf, 32 * 1024) }).toSatisfy(({ growth }) => growth < LINEAR)
      }
    },
  )

  test.each(['name', 'preferred_username'])(
    'SECURITY: in the tray and the window, the name in a token is short and has no control characters: %s',
    async (claim) => {
      const texts = await loadTexts('en')
      for (const { told, shown } of [
        { told: `Ana\r\n\u001b[31m\u202e\u200b Z${'\u0301'.repeat(450)}`, shown: 'Ana [31m Z\u0301\u0301\u0301\u0301' },
        { told: '\u{1f511}'.repeat(200), shown: `${'\u{1f511}'.repeat(99)}…` },
      ]) {
        const session = await signedInWith({ [claim]: told })
        expect(session).toMatchObject({ kind: 'active', account: { displayName: shown } })
        const connections = [{ name: 'default', session, isOwn: false }]
        const context = { now: 0, canCopyToken: () => true, isTokenCopied: () => false }
        const { tooltip, menu } = trayModel({ connections, needs: [], switches: {} }, texts, context)
        expect(tooltip).toContain(shown)
        expect(JSON.stringify(menu)).toContain(shown)
        expect(
          JSON.stringify([
            tooltip.split('\n'),
            menu,
            notificationModel({ connections, needs: [] }, texts, { now: 0, hasNoTray: true, isTold: () => false }),
          ]),
        ).not.toMatch(/[\p{Cc}\p{Cf}]|\\[un]|\p{M}{5}/u)
      }
    },
  )

  test('SECURITY: in the window, the service’s text about a failure is short and has no control characters', async () => {
    const server = await scriptedServer()
    onTestFinished(() => server.stop())
    const told = `Too\r\n\u001b[31m\u202e\u200b short${'\u0301'.repeat(450)} ${'a'.repeat(5_000)}`
    server.answers({ status: 422, body: JSON.stringify({ message: told }) })
    const auth = createAuthService({ baseAddress: server.address, http: testClient() })
    const outcome = await auth.changePassword?.(accessToken('any'), password('new'))
    const beginning = `Too [31m short${'\u0301'.repeat(4)} `
    const serverText = `${beginning}${'a'.repeat(299 - beginning.length)}…`
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'passwordRefused', serverText } })
  })

  test('SECURITY: tokens with a lifetime of one second are refreshed no more often than every 30 s', async () => {
    const desktop = await startedDesktop()
    desktop.service.options.lifetime = 1
    await desktop.signIn()
    const sent: number[] = []
    desktop.service.answering = () => {
      sent.push(desktop.clock.now())
      return 'reply'
    }
    for (let seconds = 0; seconds < 600; seconds++) {
      await desktop.pass(1_000)
      // Waking up and a change of network are no reason to refresh sooner.
      desktop.session.wake()
    }
    expect(sent.length).toBeGreaterThanOrEqual(19)
    for (const [index, at] of sent.entries()) expect(at - (sent[index - 1] ?? 0)).toBeGreaterThanOrEqual(30_000)
    await desktop.pass(2_000)
    expect(desktop.session.hasValidToken).toBe(false)
  })

  test('SECURITY: a request ends at once if the interim responses are endless', async () => {
    const { port, stop } = await tcpServer((socket) => {
      const send = () => {
        while (socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'));
      }
      socket.once('data', send).on('drain', send)
    })
    onTestFinished(stop)
    const auth = createAuthService({ baseAddress: `http://127.0.0.1:${port}`, http: testClient() })
    await expect(auth.refresh(refreshToken('any'))).resolves.toMatchObject({
      failure: { code: 'unreachable', details: { cause: 'HTTP 1xx' } },
    })
  })

  test.each([
    ['a comment', `<!-- ${'a'.repeat(4_096)} --><html>`],
    ['a declaration', `<?xml ${'a'.repeat(4_096)} ?><html>`],
  ])('SECURITY: an HTML page that begins with %s, however long, doesn’t end the session', async (_, body) => {
    const server = await scriptedServer()
    onTestFinished(() => server.stop())
    server.answers({ status: 401, body })
    const auth = createAuthService({ baseAddress: server.address, http: testClient() })
    await expect(auth.refresh(refreshToken('any'))).resolves.toMatchObject({
      failure: { code: 'unreachable', details: { cause: 'HTML answer' } },
    })
  })

  test('SECURITY: a refresh token is never sent to an issuer other than its own', async () => {
    const provider = await startIdentityProvider()
    onTestFinished(() => provider.stop())
    const other = await scriptedServer()
    onTestFinished(() => other.stop())
    const keychain = new MemoryStore()
    const marker = new ModelMarker()
    const { clientSecret, domain: providerDomain, ...settings } = provider.settings
    const sessionAt = (authAddress: string) => {
      const scope = 'offline_access'
      const client = { ...settings, providerDomain, scope, clientSecret: secret(clientSecret), http: testClient() }
      const grants = grantsByName([passwordRealmGrant(createIdentityProvider({ ...client, authAddress }))])
      const clock = new DeadlineClock(systemTime)
      const where = { address: 'https://data.example', installation: 'here' }
      const session = new SessionEngine({ ...where, grants, store: keychain, marker, clock, random: Math.random })
      onTestFinished(() => session.stop())
      return session
    }
    const first = sessionAt(provider.address)
    const credentials = { username: ANA.username, password: password(ANA.password) }
    await expect(first.signIn.begin('passwordRealm', credentials)).resolves.toMatchObject({ ok: true })
    await first.stop()

    const second = sessionAt(other.address)
    await second.start()
    expect(second.state).toMatchObject({ kind: 'signedOut', failure: { code: 'sessionEnded' } })
    await second.refresh()
    await second.signOut()
    expect(other.received).toEqual([])
  })

  test('SECURITY: a client certificate is shown only at managed addresses, not at those that the user or a page chose', async () => {
    const service = await certificateSeeker()
    const stranger = await certificateSeeker()
    const address = ({ port }: { port: number }) => ({ baseAddress: `https://127.0.0.1:${port}` })
    const settings = { connections: { stranger: address(stranger) } }
    const send = async (desk: { policy?: object; environment?: Layer }) => {
      const http = deskClient({ ...desk, own: settings })
      for (const { port } of [service, stranger]) {
        const auth = createAuthService({ baseAddress: `https://127.0.0.1:${port}`, http })
        await expect(auth.refresh(refreshToken('any'))).resolves.toMatchObject({ failure: { code: 'sessionEnded' } })
      }
      return [service.shown.pop(), stranger.shown.pop()]
    }
    await expect(send({ policy: address(service) })).resolves.toEqual(['Desktop of ana', undefined])
    await expect(send({ environment: address(service) })).resolves.toEqual(['Desktop of ana', undefined])
    await expect(send({})).resolves.toEqual([undefined, undefined])
    // A provider at a managed address gets the certificate, even if the user chose the service's address.
    const authUrl = `https://127.0.0.1:${service.port}`
    await expect(send({ policy: { authUrl } })).resolves.toEqual(['Desktop of ana', undefined])
    // A managed address gets the certificate even if the user has entered the same address.
    await expect(send({ environment: address(stranger) })).resolves.toEqual([undefined, 'Desktop of ana'])
  })
})
