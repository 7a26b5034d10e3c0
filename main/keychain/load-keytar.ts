import { createRequire } from 'node:module'
import type { Keytar } from './keytar-store.ts'

/**
 * Loads the native module; throws if libsecret is missing on Linux. By `require`, because `import` would load Node's ES
 * module loader, which nothing else needs and which takes longer than keytar itself.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')
