import { describe, expect, onTestFinished, test } from 'vitest'
import type { SessionView } from '../../contract/views.ts'
import { accessToken, refreshToken } from '../../main/base/secret.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { sessionView } from '../../main/session/connection-view.ts'
import { trayModel } from '../../main/surfaces/tray-model.ts'
import { loadTexts } from '../../text/index.ts'
import { growth, LINEAR } from '../support/growth.ts'
import { scriptedServer, tcpServer, testClient } from '../support/local-servers.ts'
import { ModelDesktop, startedDesktop } from '../support/session/model-desktop.ts'
import { ModelService } from '../support/session/model-service.ts'
import { WORST_TEXTS } from './busy.ts'
import { READERS } from './readers.ts'

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
    'SECURITY: a text that is eight times as long takes about eight times as long to read, not 64 times: %s',
    (_, read) => {
      for (const worst of WORST_TEXTS) {
        const textOf = (length: number) => {
          const text = worst(length)
          return () => read(text)
        }
        const begins = JSON.stringify(worst(24))
        expect({ begins, growth: growth(textOf, 64 * 1024) }).toSatisfy(({ growth }) => growth < LINEAR)
      }
    },
  )

  test('SECURITY: in the tray and the window, the name in a token is short and has no control characters', async () => {
    const texts = await loadTexts('en')
    for (const { told, shown } of [
      { told: `Ana\r\n\u001b[31m\u202e\u200b Z${'\u0301'.repeat(450)}`, shown: 'Ana [31m Z\u0301\u0301\u0301\u0301' },
      { told: '\u{1f511}'.repeat(200), shown: `${'\u{1f511}'.repeat(99)}…` },
    ]) {
      const session = await signedInWith({ name: told })
      expect(session).toMatchObject({ kind: 'active', account: { displayName: shown } })
      const connections = [{ name: 'default', session, isOwn: false }]
      const context = { now: 0, canCopyToken: () => true, isTokenCopied: () => false }
      const { tooltip, menu } = trayModel({ connections, needs: [], switches: {} }, texts, context)
      expect(tooltip).toContain(shown)
      expect(JSON.stringify([tooltip.split('\n'), menu])).not.toMatch(/[\p{Cc}\p{Cf}]|\\[un]|\p{M}{5}/u)
    }
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

  test('SECURITY: an HTML page that begins with a comment or a declaration, however long, doesn’t end the session', async () => {
    const server = await scriptedServer()
    onTestFinished(() => server.stop())
    const auth = createAuthService({ baseAddress: server.address, http: testClient() })
    for (const beginning of [`<!-- ${'a'.repeat(4_096)} -->`, `<?xml ${'a'.repeat(4_096)} ?>`]) {
      server.answers({ status: 401, body: `${beginning}<html>` })
      await expect(auth.refresh(refreshToken('any'))).resolves.toMatchObject({
        failure: { code: 'unreachable', details: { cause: 'HTML answer' } },
      })
    }
  })
})
