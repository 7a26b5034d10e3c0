/** The log's interface. Its types allow only values that are safe to log. */
import type { Secret } from '../session/secret.ts'

export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * A `Secret` is written as `[secret]`; `undefined` is left out. Objects and errors are not allowed: they can contain
 * anything.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | Secret | undefined>>

/**
 * Says what happened: an event's name (`session.state`), which never changes with the data, and its fields. No user
 * name belongs in either. Never throws.
 */
export type Log = { readonly [L in LogLevel]: (event: string, fields?: LogFields) => void }

/** One entry that is not written yet. */
export interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: LogFields
}
