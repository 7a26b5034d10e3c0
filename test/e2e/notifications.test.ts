/** The app sends notifications only if the user must act. Here a fake notification daemon receives them. */
import { Message, MessageType, type Message as Received } from '@jellybrick/dbus-next'
import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { connect } from '../keyring/bus.ts'
import { viewOf } from '../support/calls.ts'
import { demandRefreshes, SHORT_LIFETIME } from '../support/demand.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { sentences } from '../support/window.ts'

const NAME = 'org.freedesktop.Notifications'
const texts = await sentences()
/** How long the desktop may take to react. */
const SOON = { timeout: 10_000 }

interface Shown {
  readonly id: number
  readonly title: string
  readonly body: string
}

interface NotificationDaemon {
  /** All notifications so far. */
  readonly shown: readonly Shown[]
  /** The notifications on screen. */
  standing(): readonly Shown[]
  click(id: number): void
}

/** Shows notifications by the protocol of real desktops (Desktop Notifications Specification 1.2). */
async function startDaemon({ keyring }: Desk): Promise<NotificationDaemon> {
  const bus = await connect(keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => bus.disconnect())
  const shown: Shown[] = []
  const closed = new Set<number>()
  const tell = (member: string, signature: string, body: unknown[]) =>
    bus.send(
      new Message({
        type: MessageType.SIGNAL,
        path: '/org/freedesktop/Notifications',
        interface: NAME,
        member,
        signature,
        body,
      }),
    )
  const close = (id: number, reason: number) => {
    closed.add(id)
    tell('NotificationClosed', 'uu', [id, reason])
  }
  const methods: Record<string, (message: Received) => readonly [string, readonly unknown[]]> = {
    GetCapabilities: () => ['as', [['body', 'actions']]],
    GetServerInformation: () => ['ssss', ['stand-in', 'tests', '1', '1.2']],
    Notify: ({ body: [, replaces, , title, body] }) => {
      const id = Number(replaces) || shown.length + 1
      shown.push({ id, title: String(title), body: String(body) })
      return ['u', [id]]
    },
    CloseNotification: ({ body: [id] }) => {
      close(Number(id), 3)
      return ['', []]
    },
  }
  bus.addMethodHandler((message: Received) => {
    const method = message.interface === NAME ? methods[message.member ?? ''] : undefined
    if (method === undefined) return false
    const [signature, body] = method(message)
    bus.send(Message.newMethodReturn(message, signature, [...body]))
    return true
  })
  await bus.requestName(NAME)
  return {
    shown,
    standing: () => shown.filter(({ id }) => !closed.has(id)),
    click(id) {
      tell('ActionInvoked', 'us', [id, 'default'])
      close(id, 2)
    },
  }
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
