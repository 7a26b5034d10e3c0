import { createRequire } from 'node:module'
import type { Keytar } from './keytar-store.ts'

/**
 * Loads the native module. Throws where the system lacks what it needs: libsecret, on Linux. Required, not imported:
 * the loader of ECMAScript modules, which nothing else in the app needs, would take longer than keytar itself.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')
