import { Message, MessageType } from '@jellybrick/dbus-next'
import { connect } from '../keyring/bus.ts'

const NAME = 'org.freedesktop.login1'

/** Call this before the app starts, because the app looks for logind only once. */
export async function startLogind(busAddress: string) {
  const bus = await connect(busAddress)
  await bus.requestName(NAME)
  const tell = (isAboutToSleep: boolean) => {
    const signal = { path: '/org/freedesktop/login1', interface: `${NAME}.Manager`, member: 'PrepareForSleep' }
    bus.send(new Message({ type: MessageType.SIGNAL, ...signal, signature: 'b', body: [isAboutToSleep] }))
  }
  return {
    wake() {
      tell(true)
      tell(false)
    },
    stop: () => bus.disconnect(),
  }
}
