/** The app sends notifications only if the user must act. Here a fake notification daemon receives them. */
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { askAgent, SERVES } from '../support/ask-agent.ts'
import { type NotificationDaemon, startNotificationDaemon } from '../support/notification-daemon.ts'
import { causeRefreshes, SHORT_LIFETIME } from '../support/refreshes.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
/** How long the desktop may take to react. */
const SOON = { timeout: 10_000 }

async function startDaemon({ keyring }: TestDesktop, deafTo: readonly string[] = []): Promise<NotificationDaemon> {
  const daemon = await startNotificationDaemon(keyring.env.DBUS_SESSION_BUS_ADDRESS, { deafTo })
  onTestFinished(() => daemon.stop())
  return daemon
}

it('notifications report a failed refresh and the session’s end; a click opens the window, and signing in withdraws them', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: SHORT_LIFETIME } })
  await desk.startPanel()
  const daemon = await startDaemon(desk)
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.close()

  await causeRefreshes(desk, 1)
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

it('without a tray, closing the window for the first time causes a notification that says how to reopen it', async () => {
  const desk = await openTestDesktop()
  const daemon = await startDaemon(desk)
  const app = await desk.start()
  await (await app.open()).close()
  await expect.poll(() => daemon.standing(), SOON).toMatchObject([texts.tray.noTray])

  daemon.click(1)
  const again = await app.open()
  await expect.poll(() => daemon.standing(), SOON).toEqual([])
  await again.close()
  expect(daemon.shown).toHaveLength(1)
})

it('while the notification daemon doesn’t answer, the agent still does', async () => {
  const desk = await openTestDesktop()
  const daemon = await startDaemon(desk, ['Notify'])
  const app = await desk.start()
  // Without a tray, closing the window causes a notification.
  await (await app.open()).close()
  await expect.poll(() => daemon.calls, SOON).toContain('Notify')
  // Electron's own notifications stop the app for 25 seconds and more, which is longer than this waits.
  await expect.poll(() => askAgent(desk), SOON).toMatch(SERVES)
  daemon.hear()
})
