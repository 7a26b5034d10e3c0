export const CHECKS = [
  'versions',
  'settings',
  'sandbox',
  'proxy',
  'name',
  'certificate',
  'service',
  'provider',
  'clock',
  'browser',
  'keychain',
  'agent',
  'gateway',
  'tray',
] as const
export type CheckName = (typeof CHECKS)[number]

/** `skipped` means that there is no result, because a check on which this one depends has failed. */
export type LineState = 'ok' | 'warning' | 'failed' | 'skipped'

export interface Finding {
  readonly state: LineState
  readonly sentence: string
  /** True if the check failed because there was no connection. The service check then reports the cause. */
  readonly isUnreached?: boolean
  readonly isOff?: boolean
  readonly advice?: string
  /** Details for support, one per line. */
  readonly details?: readonly string[]
}

export interface Line extends Finding {
  readonly check: CheckName
}

export const exitCodeOf = (lines: readonly Line[]): 0 | 1 => (lines.some(({ state }) => state === 'failed') ? 1 : 0)
