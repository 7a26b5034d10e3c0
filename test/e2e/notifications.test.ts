/** The app sends notifications only if the user must act. A fake notification daemon receives them. */
import { expect, it, onTestFinished } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { call } from '../support/calls.ts'
import { latchkey } from '../support/latchkey-command.ts'
import { type NotificationDaemon, startNotificationDaemon } from '../support/notification-daemon.ts'
import { causeRefreshes, SHORT_LIFETIME } from '../support/refreshes.ts'
import { ssoVariables } from '../support/sso-variables.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
/** The desktop may take this long to react. */
const SOON = { timeout: 10_000 }
const TWO_HOURS_S = 7_200

async function startDaemon({ keyring }: TestDesktop, deafTo: readonly string[] = []): Promise<NotificationDaemon> {
  const daemon = await startNotificationDaemon(keyring.env.DBUS_SESSION_BUS_ADDRESS, { deafTo })
  onTestFinished(() => daemon.stop())
  return daemon
}

it('notifications tell of a failed refresh and of the session’s end; signing in withdraws them', async () => {
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

  // When the access token expires, a second notification, about the session's end, replaces the first.
  await expect.poll(() => daemon.shown, { timeout: 60_000 }).toHaveLength(2)
  expect(daemon.shown[1]).toMatchObject(texts.notifications.ended(host))
  await expect.poll(() => daemon.standing().map(({ id }) => id), SOON).toEqual([2])

  daemon.click(2)
  const again = await app.open()
  await again.signIn(ANA)
  await expect.poll(() => daemon.standing(), SOON).toEqual([])
})

it('a notification warns of the session’s end once, two hours before it', async () => {
  const provider = await startIdentityProvider({
    sessionLifetime: TWO_HOURS_S + 20,
    saysSessionEnd: (left) => ({ refresh_expires_in: left }),
  })
  onTestFinished(() => provider.stop())
  const env = ssoVariables(provider)
  const desk = await openTestDesktop()
  await desk.startPanel()
  const daemon = await startDaemon(desk)
  const app = await desk.start({ env })
  const window = await app.open()
  await window.page.getByRole('radio', { name: texts.signIn.methods.passwordRealm }).click()
  await window.signIn(ANA)
  const ends = async () => {
    await call(window.page, 'refreshNow')
    return (await latchkey(desk, ['status', '--until', '3h'])).code
  }
  await expect.poll(ends, { ...SOON, interval: 1_000 }).toBe(1)
  await window.close()
  expect(daemon.shown).toEqual([])
  await expect.poll(() => daemon.shown, { timeout: 30_000 }).toHaveLength(1)
  const [warning] = daemon.shown
  expect(warning?.title).toBe(texts.sessionEnd.notification(undefined, 0, 0).title)

  await app.quit()
  const again = await desk.start({ env, args: ['--hidden'] })
  await expect.poll(async () => (await latchkey(desk, ['status', '--until', '3h'])).code, SOON).toBe(1)
  // An app that has quit sends no more notifications, so the daemon has received all of them.
  await again.quit()
  expect(daemon.shown).toHaveLength(1)
})

it('without a tray, a notification says how to reopen the window the first time it is closed', async () => {
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
