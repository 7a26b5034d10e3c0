/**
 * Options of a test (or of a `describe`) that only some systems can run; `reason` says why. Other systems leave the test
 * out, and the run's last lines list it with its reason (`scripts/test/vitest.mjs`).
 */

/** Options of a test that needs what Windows doesn't have. */
export const posixOnly = (reason: string) => leaveOut(process.platform === 'win32', reason)

/** Options of a test that needs what only Linux has, or what tests can reach only on Linux. */
export const linuxOnly = (reason: string) => leaveOut(process.platform !== 'linux', reason)

/** Options of a test that does what the system allows only root to do. */
export const rootOnly = (reason: string) => leaveOut(process.getuid?.() !== 0, reason)

/** Options of a test that needs what Windows has and Wine lacks. */
export const windowsWithoutWine = (reason: string) => leaveOut(IS_WINE, reason)

export const leaveOut = (skip: boolean, reason: string) => ({ skip, meta: { leftOut: reason } })

/** True under Wine: see `scripts/windows/wine.mjs`. */
export const IS_WINE = process.platform === 'win32' && process.env['WINEPREFIX'] !== undefined

export const ANOTHER_USER = 'only root can act as another user'
export const POLICY_FILE = 'only root can write the administrator’s policy file'
export const NO_NPM = 'Wine has no npm'
export const MODES = 'on Windows, ACLs decide who can use a file, and Node does not show them'

declare module 'vitest' {
  interface TaskMeta {
    leftOut?: string
  }
}
