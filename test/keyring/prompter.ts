import { Message } from '@jellybrick/dbus-next'
import { connect } from './bus.ts'

const NAME = 'org.gnome.keyring.SystemPrompter'
const INTERFACE = 'org.gnome.keyring.internal.Prompter'

export type SilentPrompter = Awaited<ReturnType<typeof startSilentPrompter>>

/** Starts a fake of the desktop's unlock dialog that never answers. */
export async function startSilentPrompter(busAddress: string) {
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
    get opened(): number {
      return opened
    },
    whenOpened: (count: number) =>
      new Promise<void>((resolve) => {
        waiters.push({ count, resolve })
        if (opened >= count) resolve()
      }),
    /** Stops the fake. The keyring then treats open dialogs as dismissed. */
    stop: () => bus.disconnect(),
  }
}
