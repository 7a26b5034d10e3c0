/** English: what each operating system calls its store for secrets. */
import type { System } from '../system.ts'

const LOST = { explanation: 'It has been removed.', recovery: 'Sign in to start a new session.' }

const keychains = {
  linux: {
    name: 'keyring',
    your: 'your keyring',
    none: 'This desktop has no keyring',
    /** Possible reasons why a session isn't in the keychain. */
    explanation: 'It has been removed, or it is in a keyring that isn’t open.',
    recovery: 'Sign in to start a new session. Or open the other keyring and check again.',
  },
  macos: { name: 'keychain', your: 'your keychain', none: 'The keychain isn’t available', ...LOST },
  windows: {
    name: 'Credential Manager',
    your: 'Credential Manager',
    none: 'Credential Manager isn’t available',
    ...LOST,
  },
}

export const enKeychain = (system: System) => {
  const words = keychains[system]
  return { ...words, Your: words.your.replace('your', 'Your') }
}

export type EnKeychain = ReturnType<typeof enKeychain>
