/** What the checks find: one line each. */

export const CHECKS = [
  'versions',
  'settings',
  'sandbox',
  'proxy',
  'name',
  'certificate',
  'service',
  'clock',
  'keychain',
  'agent',
  'tray',
] as const
export type CheckName = (typeof CHECKS)[number]

/** `skipped`: nothing can be said, because a check that it depends on failed. */
export type LineState = 'ok' | 'warning' | 'failed' | 'skipped'

/** What one check found, in the user's language. */
export interface Finding {
  readonly state: LineState
  /** What was found. */
  readonly sentence: string
  /** It failed because no connection came about: the check of the service says why. */
  readonly isUnreached?: boolean
  /** What to do about it. */
  readonly advice?: string
  /** What a person who helps asks for next: one fact a line. */
  readonly details?: readonly string[]
}

export interface Line extends Finding {
  readonly check: CheckName
}

/** 0 where all is well or nearly so, 1 where something failed. */
export const exitCodeOf = (lines: readonly Line[]): 0 | 1 => (lines.some(({ state }) => state === 'failed') ? 1 : 0)
