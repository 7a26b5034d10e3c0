import { createRequire } from 'node:module'
import type { Keytar } from './keytar-store.ts'

/**
 * Loads the native module. Throws if libsecret is missing on Linux. Uses `require`, because `import` would load Node's
 * ES module loader. Nothing else in the app needs that loader, and loading it takes longer than loading keytar.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')
