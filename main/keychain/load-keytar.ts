import { createRequire } from 'node:module'
import type { Keytar } from './keytar-store.ts'

/**
 * Loads the native module. Throws if libsecret is missing on Linux. Uses `require`, because loading Node's ES module
 * loader, which nothing else in the app needs, would take longer than keytar itself.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')
