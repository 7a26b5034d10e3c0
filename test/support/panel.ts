/** An app's tray icon, as panels get it (StatusNotifierItem, com.canonical.dbusmenu). `xfce/` has a real panel. */
import { type Message, type MessageBus, type MessageLike, Message as NewMessage, Variant } from '@jellybrick/dbus-next'
import { connect } from '../keyring/bus.ts'

export const WATCHER = 'org.kde.StatusNotifierWatcher'
const ITEM = 'org.kde.StatusNotifierItem'
const MENU = 'com.canonical.dbusmenu'
const PROPERTIES = 'org.freedesktop.DBus.Properties'

export type Panel = Awaited<ReturnType<typeof startPanel>>

export interface ItemAddress {
  readonly destination: string
  readonly path: string
}

/** Call this before the app starts, because a panel that starts at the same time may show no icon. */
export async function startPanel(busAddress: string) {
  const bus = await connect(busAddress)
  const shown = waitForItem(bus)
  await bus.requestName(WATCHER)
  return Object.assign(
    trayItem(bus, () => shown),
    { stop: () => bus.disconnect() },
  )
}

export async function propertyOf(bus: MessageBus, at: ItemAddress, holder: string, name: string): Promise<unknown> {
  const asking = { interface: PROPERTIES, member: 'Get', signature: 'ss', body: [holder, name] }
  const reply = await bus.call(new NewMessage({ ...at, ...asking }))
  const [value] = (reply?.body ?? []) as readonly Variant[]
  return value?.value
}

export function trayItem(bus: MessageBus, address: () => Promise<ItemAddress>) {
  const property = async (name: string) => propertyOf(bus, await address(), ITEM, name)
  const onMenu = async (message: MessageLike): Promise<readonly unknown[]> => {
    const { destination } = await address()
    const reply = await bus.call(
      new NewMessage({ destination, path: String(await property('Menu')), interface: MENU, ...message }),
    )
    return reply?.body ?? []
  }
  const item = {
    async tooltip(): Promise<string> {
      const [, , title] = (await property('ToolTip')) as readonly [string, unknown, string, string]
      return title
    },
    async menu() {
      const [, layout] = await onMenu({ member: 'GetLayout', signature: 'iias', body: [0, -1, []] })
      const [, , entries] = layout as MenuNode
      return entries.flatMap(({ value: [id, { label, enabled, type }] }) =>
        type?.value === 'separator'
          ? []
          : [{ id, label: String(label?.value ?? ''), enabled: enabled?.value !== false }],
      )
    },
    async choose(label: string): Promise<void> {
      const entry = (await item.menu()).find((each) => each.label === label)
      if (entry === undefined) throw new Error(`the tray's menu has no entry ${label}`)
      await onMenu({ member: 'Event', signature: 'isvu', body: [entry.id, 'clicked', new Variant('s', ''), 0] })
    },
  }
  return item
}

type MenuNode = readonly [number, Readonly<Record<string, Variant>>, readonly { readonly value: MenuNode }[]]

function waitForItem(bus: MessageBus): Promise<ItemAddress> {
  return new Promise((resolve) => {
    bus.addMethodHandler((message: Message) => {
      const answer = (signature: string, body: readonly unknown[]) => {
        bus.send(NewMessage.newMethodReturn(message, signature, [...body]))
        return true
      }
      if (message.interface === PROPERTIES && message.member === 'Get') return answer('v', [new Variant('b', true)])
      if (message.interface !== WATCHER || message.member !== 'RegisterStatusNotifierItem') return false
      resolve({ destination: String(message.body[0]), path: '/StatusNotifierItem' })
      return answer('', [])
    })
  })
}
