/** The log. Its types only allow values that are safe to log. */
import type { Secret } from '../base/secret.ts'

export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * The fields of an event. A `Secret` is written as `[secret]`, and `undefined` is left out. Objects and errors aren't
 * allowed, because they could contain anything.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | Secret | undefined>>

/** Logs an event. The event's name is fixed in the code, and the fields must not contain a username. Never throws. */
export type Log = { readonly [L in LogLevel]: (event: string, fields?: LogFields) => void }

export interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: LogFields
}
