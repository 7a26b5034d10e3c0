import type { Keytar } from './keytar-store.ts'

/** Loads the native module. Throws where the system lacks what it needs: libsecret, on Linux. */
export async function loadKeytar(): Promise<Keytar> {
  const loaded: Keytar | { readonly default: Keytar } = await import('keytar')
  // A CommonJS module: its whole is the default export, its names are not always found.
  return 'default' in loaded ? loaded.default : loaded
}
