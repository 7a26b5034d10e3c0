import { Message, MessageType } from '@jellybrick/dbus-next'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../test/keyring/bus.ts'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { startNotificationDaemon } from '../../test/support/notification-daemon.ts'
import { BUS_DAEMON } from '../dbus/session-bus.ts'
import { type BusNotification, showOverBus } from './bus-notification.ts'

let desktop: Keyring
beforeEach(async () => {
  desktop = await startKeyring({ state: 'noService' })
})
afterEach(() => desktop.stop())

async function startDaemon(options?: Parameters<typeof startNotificationDaemon>[1]) {
  const daemon = await startNotificationDaemon(desktop.env.DBUS_SESSION_BUS_ADDRESS, options)
  onTestFinished(() => daemon.stop())
  return daemon
}

function show(change: Partial<BusNotification> = {}) {
  const on = { onShown: vi.fn(), onClick: vi.fn(), onGone: vi.fn() }
  const close = showOverBus({
    bus: { busAddress: desktop.env.DBUS_SESSION_BUS_ADDRESS },
    sentence: { title: 'Sign in again', body: 'Your tools go on until 14:51.' },
    desktopEntry: 'latchkey-desktop',
    ...on,
    ...change,
  })
  return { ...on, close }
}

it('each notification hears only of its own click and dismissal', async () => {
  const daemon = await startDaemon()
  const one = show()
  await expect.poll(() => one.onShown.mock.calls).toHaveLength(1)
  const other = show()
  await expect.poll(() => other.onShown.mock.calls).toHaveLength(1)
  expect(daemon.standing()).toMatchObject([{ title: 'Sign in again', actions: ['default', 'Latchkey'] }, { id: 2 }])

  daemon.click(1)
  await expect.poll(() => one.onGone.mock.calls).toHaveLength(1)
  expect(one.onClick).toHaveBeenCalledOnce()
  daemon.dismiss(2)
  await expect.poll(() => other.onGone.mock.calls).toHaveLength(1)
  expect(other.onClick).not.toHaveBeenCalled()
})

it('SECURITY: a click that another program sends is ignored', async () => {
  const daemon = await startDaemon()
  const { onShown, onClick, onGone } = show()
  await expect.poll(() => onShown.mock.calls).toHaveLength(1)
  const stranger = await connect(desktop.env.DBUS_SESSION_BUS_ADDRESS)
  onTestFinished(() => stranger.disconnect())
  const member = 'ActionInvoked'
  const name = 'org.freedesktop.Notifications'
  const head = { type: MessageType.SIGNAL, path: '/org/freedesktop/Notifications', interface: name, member }
  const destination = daemon.callers.at(-1) ?? ''
  stranger.send(new Message({ ...head, destination, signature: 'us', body: [1, 'default'] }))
  // The bus delivers in order, so the other program's signal arrives before the daemon's next one.
  await stranger.call(new Message({ ...BUS_DAEMON, member: 'GetId' }))
  daemon.dismiss(1)
  await expect.poll(() => onGone.mock.calls).toHaveLength(1)
  expect(onClick).not.toHaveBeenCalled()
})

it('a notification that the app closes before a slow daemon has answered doesn’t stay on screen', async () => {
  const daemon = await startDaemon({ deafTo: ['Notify'] })
  const first = show()
  await expect.poll(() => daemon.calls).toContain('Notify')
  first.close()
  daemon.hear()
  const next = show({ sentence: { title: 'Next', body: '' } })
  await expect.poll(() => next.onShown.mock.calls).toHaveLength(1)
  await expect.poll(() => daemon.standing()).toMatchObject([{ title: 'Next' }])
  expect(first.onShown).not.toHaveBeenCalled()
})

it('a daemon gets actions only if it supports actions, and escaped text only if it supports markup', async () => {
  const sentence = { title: 'A & B', body: 'a < b & c' }
  const daemon = await startDaemon({ capabilities: ['body'] })
  const { onShown } = show({ sentence })
  await expect.poll(() => onShown.mock.calls).toHaveLength(1)
  expect(daemon.shown).toMatchObject([{ ...sentence, actions: [] }])
  daemon.stop()
  const rich = await startDaemon({ capabilities: ['body', 'body-markup'] })
  show({ sentence })
  await expect.poll(() => rich.shown).toMatchObject([{ title: 'A & B', body: 'a &lt; b &amp; c' }])
})

it('without a daemon, a notification is dropped without an error; once a daemon runs, later ones are shown', async () => {
  const { onGone, close } = show()
  close()
  await startDaemon()
  const later = show()
  await expect.poll(() => later.onShown.mock.calls).toHaveLength(1)
  expect(onGone).not.toHaveBeenCalled()
})
