import { existsSync } from 'node:fs'

/**
 * Options of a test (or of a `describe`) that only some systems can run: `reason` says why. Other systems leave the
 * test out, and `scripts/test/count.mjs` counts it by its reason.
 */

/** For tests of features that Windows doesn't have. */
export const posixOnly = (reason: string) => leaveOut(process.platform === 'win32', reason)

/** For tests that need Debian's own tools. */
export const debianOnly = (reason: string) =>
  // Under Wine the file exists too, because Wine's drive Z: shows the files of Linux.
  leaveOut(process.platform === 'win32' || !existsSync('/usr/bin/dpkg-deb'), reason)

/** For tests of behaviour that Windows has and Wine doesn't. */
export const windowsWithoutWine = (reason: string) => leaveOut(IS_WINE, reason)

const leaveOut = (skip: boolean, reason: string) => ({ skip, meta: { leftOut: reason } })

/** True if the tests run under Wine (`scripts/windows/wine.mjs`). */
export const IS_WINE = process.platform === 'win32' && process.env['WINEPREFIX'] !== undefined

/** Reasons that several tests share. */
export const NO_GIT = 'Wine has no git'
export const NO_NPM = 'Wine has no npm'
export const MODES = 'an ACL, which Node does not show, is what a mode is elsewhere'

declare module 'vitest' {
  interface TaskMeta {
    leftOut?: string
  }
}
