/** Stands in for the desktop's panel, and records when the picture of each icon arrived. */
import { Message, Variant } from '@jellybrick/dbus-next'
import { connect } from '../test/keyring/bus.ts'
import { propertyOf, WATCHER } from '../test/support/panel.ts'

const ITEM = 'org.kde.StatusNotifierItem'
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }
const TRUE = new Variant('b', true)

export interface Icon {
  /** The time at which the icon's picture arrived (`performance.now()`). */
  readonly shownAt: number
  click(): Promise<void>
}

export interface TrayWatch {
  /** Resolves when the process with this id has an icon. */
  iconOf(pid: number): Promise<Icon>
  stop(): void
}

/** Call this before the programs start, because they look for a panel only once. */
export async function watchTray(busAddress: string): Promise<TrayWatch> {
  const bus = await connect(busAddress)
  const icons = new Map<number, Icon>()
  const waiting = new Map<number, (icon: Icon) => void>()

  const show = async (destination: string) => {
    const at = { destination, path: '/StatusNotifierItem' }
    await propertyOf(bus, at, ITEM, 'IconPixmap')
    const shownAt = performance.now()
    const click = async () => {
      await bus.call(new Message({ ...at, interface: ITEM, member: 'Activate', signature: 'ii', body: [0, 0] }))
    }
    const asking = { ...BUS, member: 'GetConnectionUnixProcessID', signature: 's', body: [destination] }
    const pid = Number((await bus.call(new Message(asking)))?.body[0])
    // A program may create its icon again, but the benchmark measures the time until the first one.
    const icon = { shownAt: icons.get(pid)?.shownAt ?? shownAt, click }
    icons.set(pid, icon)
    waiting.get(pid)?.(icon)
  }

  bus.addMethodHandler((message: Message) => {
    const answer = (signature = '', body: unknown[] = []) => {
      bus.send(Message.newMethodReturn(message, signature, body))
      return true
    }
    if (message.interface === 'org.freedesktop.DBus.Properties' && message.member === 'Get') {
      return answer('v', [TRUE])
    }
    if (message.member !== 'RegisterStatusNotifierItem') return false
    // The program may have ended.
    show(String(message.body[0])).catch(() => {})
    return answer()
  })
  await bus.requestName(WATCHER)
  return {
    iconOf: (pid) =>
      new Promise((resolve) => {
        const icon = icons.get(pid)
        if (icon !== undefined) resolve(icon)
        else waiting.set(pid, resolve)
      }),
    stop: () => bus.disconnect(),
  }
}
