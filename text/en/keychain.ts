import type { System } from '../system.ts'

const UNLOCK = 'If it is locked, unlock it. Then try again.'
const UNWRITABLE = 'it may be locked or missing, or the disk may be full'
const LOST = { explanation: 'It has been removed.', recovery: 'Sign in to start a new session.' }

const keychains = {
  linux: {
    name: 'keyring',
    your: 'your keyring',
    none: 'This desktop has no keyring',
    /** What to do if the keychain doesn't respond. Nobody can unlock Credential Manager, so no text says to unlock it. */
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    explanation: 'It has been removed, or it is in a keyring that isn’t open.',
    recovery: 'Sign in to start a new session. Or open the other keyring and check again.',
  },
  macos: {
    name: 'keychain',
    your: 'your keychain',
    none: 'The keychain isn’t available',
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    ...LOST,
  },
  windows: {
    name: 'Credential Manager',
    your: 'Credential Manager',
    none: 'Credential Manager isn’t available',
    unlock: 'Try again. If it happens again, show the details to your administrator.',
    unwritable: 'the disk may be full',
    ...LOST,
  },
}

export const enKeychain = (system: System) => {
  const words = keychains[system]
  return { ...words, Your: words.your.replace('your', 'Your') }
}

export type EnKeychain = ReturnType<typeof enKeychain>
