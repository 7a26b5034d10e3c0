import { hostname } from 'node:os'
import { KEYCHAIN_SERVICE } from '../../main/keychain/keytar-store.ts'
import { loadKeytar } from '../../main/keychain/open.ts'
import type { Keyring } from './keyring.ts'
import { run } from './programs.ts'

/** Tests can't lock or stop the user's keychain. On macOS, they only see whether an entry exists, without a prompt. */
export function systemKeychain(names: () => readonly string[]): Keyring {
  const never = () => Promise.reject(new Error('only a D-Bus desk can do this: it is on Linux alone'))
  const { lookup, remove } = process.platform === 'win32' ? credentialManager : macOS
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: '', HOME: '', XDG_DATA_HOME: '', XDG_RUNTIME_DIR: '' },
    pids: [],
    lookup,
    put: never,
    lock: never,
    unlock: never,
    startService: never,
    stopService: never,
    restartService: never,
    startSilentPrompter: never,
    async stop() {
      for (const name of names()) await remove(name)
    },
  }
}

const accountOf = (name: string) => `${name} on ${hostname()}`
const credentialManager = {
  lookup: async (name: string) =>
    (await (await loadKeytar()).getPassword(KEYCHAIN_SERVICE, accountOf(name))) ?? undefined,
  remove: async (name: string) => void (await (await loadKeytar()).deletePassword(KEYCHAIN_SERVICE, accountOf(name))),
}

const security = (command: string, name: string) =>
  run('security', [`${command}-generic-password`, '-s', KEYCHAIN_SERVICE, '-a', name], {
    env: { HOME: process.env['HOME'] ?? '' },
  })
const macOS = {
  lookup: async (name: string) => ((await security('find', name)).code === 0 ? '' : undefined),
  remove: async (name: string) => void (await security('delete', name)),
}
