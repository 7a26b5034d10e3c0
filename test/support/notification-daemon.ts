/** A fake notification daemon (Desktop Notifications Specification 1.2). */
import { Message, MessageType, type Message as Received } from '@jellybrick/dbus-next'
import { connect } from '../keyring/bus.ts'

const NAME = 'org.freedesktop.Notifications'
const PATH = '/org/freedesktop/Notifications'

interface Notified {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
}

export async function startNotificationDaemon(
  busAddress: string,
  { capabilities = ['body', 'actions'], deafTo = [] as readonly string[] } = {},
) {
  const bus = await connect(busAddress)
  const shown: Notified[] = []
  const calls: string[] = []
  const callers: string[] = []
  const closed = new Set<number>()
  let unheard: (() => void)[] | undefined = []
  const tell = (member: string, signature: string, body: unknown[]) =>
    bus.send(new Message({ type: MessageType.SIGNAL, path: PATH, interface: NAME, member, signature, body }))
  const close = (id: number, reason: number) => {
    closed.add(id)
    tell('NotificationClosed', 'uu', [id, reason])
  }
  const methods: Record<string, (message: Received) => readonly [string, readonly unknown[]]> = {
    GetCapabilities: () => ['as', [capabilities]],
    GetServerInformation: () => ['ssss', ['stand-in', 'tests', '1', '1.2']],
    Notify: ({ body: [, replaces, , title, body, actions] }) => {
      const id = Number(replaces) || shown.length + 1
      shown.push({ id, title: String(title), body: String(body), actions: actions as string[] })
      return ['u', [id]]
    },
    CloseNotification: ({ body: [id] }) => {
      close(Number(id), 3)
      return ['', []]
    },
  }
  bus.addMethodHandler((message: Received) => {
    const { member = '' } = message
    const method = message.interface === NAME ? methods[member] : undefined
    if (method === undefined) return false
    calls.push(member)
    callers.push(message.sender ?? '')
    const answer = () => {
      const [signature, body] = method(message)
      bus.send(Message.newMethodReturn(message, signature, [...body]))
    }
    if (unheard !== undefined && deafTo.includes(member)) unheard.push(answer)
    else answer()
    return true
  })
  await bus.requestName(NAME)
  return {
    shown,
    calls,
    callers,
    standing: () => shown.filter(({ id }) => !closed.has(id)),
    click(id: number) {
      tell('ActionInvoked', 'us', [id, 'default'])
      close(id, 2)
    },
    dismiss: (id: number) => close(id, 2),
    hear() {
      for (const answer of unheard ?? []) answer()
      unheard = undefined
    },
    stop: () => bus.disconnect(),
  }
}
