import { loadKeytar } from '../../main/keychain/open.ts'
import type { Keyring } from './keyring.ts'

/** The real keytar, in this process. It keeps its first D-Bus session, so each test file can use only one session. */
export function keytarOn(keyring: Keyring): ReturnType<typeof loadKeytar> {
  Object.assign(process.env, keyring.env)
  return loadKeytar()
}
