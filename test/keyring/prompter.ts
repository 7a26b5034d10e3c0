import { Message } from '@jellybrick/dbus-next'
import { connect } from './bus.ts'

const NAME = 'org.gnome.keyring.SystemPrompter'
const INTERFACE = 'org.gnome.keyring.internal.Prompter'

/** A fake of the desktop's unlock dialog that never answers. */
export interface SilentPrompter {
  /** How many dialogs there have been. */
  readonly opened: number
  whenOpened(count: number): Promise<void>
  /** Stops the fake. The keyring then treats open dialogs as dismissed. */
  stop(): void
}

export async function startSilentPrompter(busAddress: string): Promise<SilentPrompter> {
  const bus = await connect(busAddress)
  const waiters: { readonly count: number; readonly resolve: () => void }[] = []
  let opened = 0
  bus.addMethodHandler((message: Message) => {
    if (message.interface !== INTERFACE) return false
    bus.send(Message.newMethodReturn(message, '', []))
    if (message.member === 'BeginPrompting') {
      opened += 1
      for (const waiter of waiters) if (waiter.count <= opened) waiter.resolve()
    }
    return true
  })
  await bus.requestName(NAME)
  return {
    get opened() {
      return opened
    },
    whenOpened: (count) =>
      new Promise((resolve) => {
        waiters.push({ count, resolve })
        if (opened >= count) resolve()
      }),
    stop: () => bus.disconnect(),
  }
}
