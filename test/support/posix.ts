/**
 * Options of a test (or of a `describe`) that Windows has no counterpart for: `reason` says why. On Windows it is left out,
 * and `scripts/test/count.mjs` counts it by its reason; everywhere else it runs.
 */
export const posixOnly = (reason: string) => ({ skip: process.platform === 'win32', meta: { posixOnly: reason } })

/** Reasons that more than one test has. */
export const MODES = 'an ACL, which Node does not show, is what a mode is elsewhere'

declare module 'vitest' {
  interface TaskMeta {
    posixOnly?: string
  }
}
