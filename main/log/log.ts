import type { Secret } from '../base/secret.ts'

export type LogLevel = 'error' | 'warn' | 'info'

/** A `Secret` is written as `[secret]`. Objects and errors aren't allowed, because they could contain anything. */
export type LogFields = Readonly<Record<string, string | number | boolean | Secret | undefined>>

/** The event's name is fixed in the code, and the fields must not contain a username. Never throws. */
export type Log = { readonly [L in LogLevel]: (event: string, fields?: LogFields) => void }

export interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields?: LogFields
}

/** Reports an unexpected error: a bug, or a refusal by the system. `where` names the place in the app. */
export type Report = (where: string, error: unknown) => void

interface ReportPorts {
  readonly log?: Pick<Log, 'error'>
  readonly isDevelopment: boolean
  readonly print: (line: string) => void
}

/** SECURITY: outside development, only the code is logged, because the message may contain anything. */
export function createReport({ log, isDevelopment, print }: ReportPorts): Report {
  return (where, error) => {
    const code = errorCode(error)
    log?.error('bug', { where, code })
    print(`${where}: ${isDevelopment && error instanceof Error ? error.stack : code}`)
  }
}

/** The error's code or, if it has none, the name of its class. An error that is a string is one of our own codes. */
export function errorCode(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
