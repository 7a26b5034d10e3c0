/** Its types only allow values that are safe to log. */
import type { Secret } from '../base/secret.ts'

export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A `Secret` is written as `[secret]`; `undefined` is left out. Objects and errors could contain anything. */
export type LogFields = Readonly<Record<string, string | number | boolean | Secret | undefined>>

/** Logs an event, whose name is fixed in the code. The fields must not contain a username. Never throws. */
export type Log = { readonly [L in LogLevel]: (event: string, fields?: LogFields) => void }

export interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: LogFields
}
