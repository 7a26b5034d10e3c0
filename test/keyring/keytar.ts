import type { Keytar } from '../../main/keychain/keytar-store.ts'
import { loadKeytar } from '../../main/keychain/open.ts'
import type { Keyring } from './keyring.ts'

/** The real keytar, in this process. It keeps its first D-Bus session, so each test file can use only one session. */
export async function keytarOn(keyring: Keyring): Promise<Keytar> {
  Object.assign(process.env, keyring.env)
  try {
    return await loadKeytar()
  } catch (cause) {
    throw new Error('The keychain tests need libsecret, which this system lacks: apt-get install libsecret-1-0', {
      cause,
    })
  }
}
