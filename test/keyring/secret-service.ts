import { Variant } from '@jellybrick/dbus-next'
import { onBus } from './bus.ts'

const SERVICE = { destination: 'org.freedesktop.secrets', path: '/org/freedesktop/secrets' }
const INTERFACE = 'org.freedesktop.Secret.Service'

/** The default collection; `/` if there is none. Asks again, because gnome-keyring may say `/` by mistake. */
export function defaultCollection(busAddress: string): Promise<string> {
  return onBus(busAddress, async (call) => {
    const reading = { member: 'ReadAlias', signature: 's', body: ['default'] }
    const read = async () => String((await call({ ...SERVICE, interface: INTERFACE, ...reading }))[0])
    const first = await read()
    return first === '/' ? read() : first
  })
}

export async function lockDefault(busAddress: string): Promise<void> {
  const collection = await defaultCollection(busAddress)
  const locking = { member: 'Lock', signature: 'ao', body: [[collection]] }
  await onBus(busAddress, (call) => call({ ...SERVICE, interface: INTERFACE, ...locking }))
}

/** Unlocks the default collection without a prompt, as PAM does at login. */
export async function unlockDefault(busAddress: string, password: string): Promise<void> {
  const collection = await defaultCollection(busAddress)
  await onBus(busAddress, async (call) => {
    const opening = { member: 'OpenSession', signature: 'sv', body: ['plain', new Variant('s', '')] }
    const [, session] = await call({ ...SERVICE, interface: INTERFACE, ...opening })
    const secret = [session, Buffer.alloc(0), Buffer.from(password), 'text/plain']
    await call({
      ...SERVICE,
      interface: 'org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface',
      member: 'UnlockWithMasterPassword',
      signature: 'o(oayays)',
      body: [collection, secret],
    })
  })
}
