/** The log as the rest of the app sees it: what can be said in it is said by its types. */
import type { Secret } from '../session/secret.ts'

export const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A `Secret` is written as `[secret]`; what is undefined is left out. No object and no error: they carry too much. */
export type LogFields = Readonly<Record<string, string | number | boolean | Secret | undefined>>

/**
 * Says what happened: an event's name (`session.state`), which never changes with the data, and its fields. No user
 * name belongs in either. Never throws.
 */
export type Log = { readonly [L in LogLevel]: (event: string, fields?: LogFields) => void }

/** One thing to say, before it is said. */
export interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: LogFields
}
