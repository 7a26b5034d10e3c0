import { Message, Variant } from '@jellybrick/dbus-next'
import { connect } from '../test/keyring/bus.ts'
import { until } from '../test/keyring/programs.ts'
import { propertyOf, WATCHER } from '../test/support/panel.ts'

const ITEM = 'org.kde.StatusNotifierItem'
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }

interface Icon {
  /** The time at which the icon's picture arrived (`performance.now()`). */
  readonly shownAt: number
  click(): Promise<unknown>
}

/** Stands in for the desktop's panel. Programs look for a panel only once, so call this before they start. */
export async function watchTray(busAddress: string) {
  const bus = await connect(busAddress)
  const icons = new Map<number, Icon>()

  const show = async (destination: string) => {
    const at = { destination, path: '/StatusNotifierItem' }
    await propertyOf(bus, at, ITEM, 'IconPixmap')
    const shownAt = performance.now()
    const click = () =>
      bus.call(new Message({ ...at, interface: ITEM, member: 'Activate', signature: 'ii', body: [0, 0] }))
    const asking = { ...BUS, member: 'GetConnectionUnixProcessID', signature: 's', body: [destination] }
    const pid = Number((await bus.call(new Message(asking)))?.body[0])
    // A program may create its icon again, but the benchmark measures the time until the first one.
    icons.set(pid, { shownAt: icons.get(pid)?.shownAt ?? shownAt, click })
  }

  bus.addMethodHandler((message: Message) => {
    const isGet = message.interface === 'org.freedesktop.DBus.Properties' && message.member === 'Get'
    const isNew = message.member === 'RegisterStatusNotifierItem'
    // The program may have ended.
    if (isNew) show(String(message.body[0])).catch(() => {})
    if (isGet) bus.send(Message.newMethodReturn(message, 'v', [new Variant('b', true)]))
    else if (isNew) bus.send(Message.newMethodReturn(message, '', []))
    return isGet || isNew
  })
  await bus.requestName(WATCHER)
  return {
    async iconOf(pid: number): Promise<Icon> {
      await until(
        () => icons.has(pid),
        () => `process ${pid} has no icon`,
      )
      return icons.get(pid) as Icon
    },
    stop: () => bus.disconnect(),
  }
}
