import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { startNotificationDaemon } from '../support/notification-daemon.ts'
import { causeRefreshes, SHORT_LIFETIME } from '../support/refreshes.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
const SOON = { timeout: 10_000 }

it('notifications tell of a failed refresh and of the session’s end; signing in withdraws them', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: SHORT_LIFETIME } })
  await desk.startPanel()
  const daemon = await startNotificationDaemon(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => daemon.stop())
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

  // When the access token expires, a second notification, about the session's end, replaces the first.
  await expect.poll(() => daemon.shown, { timeout: 60_000 }).toHaveLength(2)
  expect(daemon.shown[1]).toMatchObject(texts.notifications.ended(host))
  await expect.poll(() => daemon.standing().map(({ id }) => id), SOON).toEqual([2])

  daemon.click(2)
  const again = await app.open()
  await again.signIn(ANA)
  await expect.poll(() => daemon.standing(), SOON).toEqual([])
})
