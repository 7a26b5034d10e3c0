/** The app sends notifications only if the user must act. Here a fake notification daemon receives them. */
import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { askAgent, SERVES } from '../support/ask-agent.ts'
import { viewOf } from '../support/calls.ts'
import { demandRefreshes, SHORT_LIFETIME } from '../support/demand.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { type NotificationDaemon, startNotificationDaemon } from '../support/notification-daemon.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
/** How long the desktop may take to react. */
const SOON = { timeout: 10_000 }

async function startDaemon({ keyring }: Desk, deafTo: readonly string[] = []): Promise<NotificationDaemon> {
  const daemon = await startNotificationDaemon(keyring.env.DBUS_SESSION_BUS_ADDRESS, { deafTo })
  onTestFinished(() => daemon.stop())
  return daemon
}

it('notifications report a failed refresh and the session’s end; a click opens the window, and signing in withdraws them', async () => {
  const desk = await openDesk({ service: { tokenLifetime: SHORT_LIFETIME } })
  await desk.startPanel()
  const daemon = await startDaemon(desk)
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.close()

  await demandRefreshes(desk, 2)
  expect(daemon.shown).toEqual([])

  for (let times = 0; times < 20; times++) desk.service.inject('refresh', { kind: 'status', status: 401 })
  await expect.poll(() => daemon.shown, { timeout: 45_000 }).toHaveLength(1)
  const host = new URL(desk.service.address).host
  expect(daemon.shown[0]?.title).toBe(texts.notifications.ended(host).title)
  expect(daemon.shown[0]?.body).toContain(host)

  // When the access token expires, a second notification reports the end of the session and replaces the first.
  await expect.poll(() => daemon.shown, { timeout: 60_000 }).toHaveLength(2)
  expect(daemon.shown[1]).toMatchObject(texts.notifications.ended(host))
  await expect.poll(() => daemon.standing().map(({ id }) => id), SOON).toEqual([2])

  daemon.click(2)
  const again = await app.open()
  await again.signIn(ANA)
  await expect.poll(() => daemon.standing(), SOON).toEqual([])
})

it('a single sign-on session that is about to end causes a notification; a click opens the sign-in form', async () => {
  const desk = await openDesk()
  const provider = await startIdentityProvider({ refreshTokens: 'never', tokenLifetime: 15 })
  onTestFinished(() => provider.stop())
  const daemon = await startDaemon(desk)
  await desk.startPanel()
  const { settings } = provider
  const app = await desk.start({
    env: {
      LATCHKEY_AUTH_URL: provider.address,
      LATCHKEY_SSO_PROVIDER_DOMAIN: settings.domain,
      LATCHKEY_SSO_SCOPE: 'openid',
      LATCHKEY_SSO_AUDIENCE: settings.audience,
      LATCHKEY_SSO_CLIENT_ID: settings.clientId,
      LATCHKEY_SSO_CLIENT_SECRET: settings.clientSecret,
    },
  })
  const window = await app.open()
  await window.page.getByRole('radio', { name: 'Single sign-on' }).check()
  await window.signIn(ANA)
  await window.close()

  await expect.poll(() => daemon.standing(), { timeout: 20_000 }).toHaveLength(1)
  const host = new URL(desk.service.address).host
  expect(daemon.shown[0]?.title).toBe(texts.notifications.aboutToEnd(host, 0, 0).title)
  daemon.click(1)
  const again = await app.open()
  expect((await viewOf(again.page)).navigation).toEqual({ screen: 'signIn', number: 1 })
  await again.username.waitFor()
  await again.signIn(ANA)
})

it('a keychain that can’t be written causes a notification, which is withdrawn once writing works', async () => {
  const desk = await openDesk({ service: { tokenLifetime: SHORT_LIFETIME } })
  await desk.startPanel()
  const daemon = await startDaemon(desk)
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.close()

  await desk.keyring.lock()
  await demandRefreshes(desk)
  await expect.poll(() => daemon.standing(), { timeout: 30_000 }).toMatchObject([texts.notifications.unwritten])
  await desk.keyring.unlock()
  await expect.poll(() => daemon.standing(), { timeout: 60_000 }).toEqual([])
  expect(daemon.shown).toHaveLength(1)
})

it('without a tray, closing the window for the first time causes a notification that says how to reopen it', async () => {
  const desk = await openDesk()
  const daemon = await startDaemon(desk)
  const first = await desk.start()
  await (await first.open()).close()
  await expect.poll(() => daemon.standing(), SOON).toMatchObject([texts.tray.noTray])

  daemon.click(1)
  const again = await first.open()
  await expect.poll(() => daemon.standing(), SOON).toEqual([])
  await again.close()
  await first.quit()

  const second = await desk.start()
  await (await second.open()).close()
  await expect(second.startAgain()).resolves.toBe(0)
  await second.open()
  expect(daemon.shown).toHaveLength(1)
})

it('with a tray, closing the window causes no notification', async () => {
  const desk = await openDesk()
  const panel = await desk.startPanel()
  const daemon = await startDaemon(desk)
  const app = await desk.start()
  await (await app.open()).close()
  // Waits until the app is signed out, because each change of state replaces the menu and its entries.
  await expect.poll(() => panel.tooltip(), SOON).toBe('Latchkey: Signed out')
  await panel.choose('Sign in…')
  await app.open()
  expect(daemon.shown).toEqual([])
})

it.each(['GetCapabilities', 'Notify', 'CloseNotification'])(
  'while the notification daemon doesn’t answer %s, the agent still does',
  async (method) => {
    const desk = await openDesk()
    const daemon = await startDaemon(desk, [method])
    const app = await desk.start()
    const window = await app.open()
    // Without a tray, closing the window causes a notification, and opening it again withdraws the notification.
    await window.close()
    await expect.poll(() => daemon.calls, SOON).toContain(method === 'CloseNotification' ? 'Notify' : method)
    if (method === 'CloseNotification') {
      await app.startAgain()
      await app.open()
      await expect.poll(() => daemon.calls, SOON).toContain(method)
    }
    // Electron's own notifications stop the app for 25 seconds and more, which is longer than this waits.
    await expect.poll(() => askAgent(desk), SOON).toMatch(SERVES)
    daemon.hear()
  },
)
