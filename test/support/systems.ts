/**
 * Options of a test (or of a `describe`) that only some systems can run: `reason` says why. Other systems leave the
 * test out, and the run's last lines list it with its reason (`scripts/test/vitest.mjs`).
 */

/** For tests of features that Windows doesn't have. */
export const posixOnly = (reason: string) => leaveOut(process.platform === 'win32', reason)

/** For tests of features that only Linux has, or that the tests can only reach there. */
export const linuxOnly = (reason: string) => leaveOut(process.platform !== 'linux', reason)

/** For tests that do what the system allows only root to do. */
export const rootOnly = (reason: string) => leaveOut(process.getuid?.() !== 0, reason)

/** For tests of behaviour that Windows has and Wine doesn't. */
export const windowsWithoutWine = (reason: string) => leaveOut(IS_WINE, reason)

export const leaveOut = (skip: boolean, reason: string) => ({ skip, meta: { leftOut: reason } })

/** True if the tests run under Wine (`scripts/windows/wine.mjs`). */
export const IS_WINE = process.platform === 'win32' && process.env['WINEPREFIX'] !== undefined

/** Reasons that several tests share. */
export const ANOTHER_USER = 'only root can act as another user'
export const POLICY_FILE = 'only root can write the administrator’s policy file'
export const NO_NPM = 'Wine has no npm'
export const MODES = 'an ACL, which Node does not show, is what a mode is elsewhere'

declare module 'vitest' {
  interface TaskMeta {
    leftOut?: string
  }
}
