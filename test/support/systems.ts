/**
 * Options of a test (or of a `describe`) for features that Windows doesn't have: `reason` says why. On Windows the test
 * is left out, and `scripts/test/count.mjs` counts it by its reason; on all other systems it runs.
 */
export const posixOnly = (reason: string) => ({ skip: process.platform === 'win32', meta: { posixOnly: reason } })

/** Reasons that several tests share. */
export const MODES = 'an ACL, which Node does not show, is what a mode is elsewhere'

declare module 'vitest' {
  interface TaskMeta {
    posixOnly?: string
  }
}
