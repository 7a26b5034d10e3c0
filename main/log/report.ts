import type { Log } from './log.ts'

/** Reports an unexpected error: a bug, or a refusal by the system. `where` names the place in the app. */
export type Report = (where: string, error: unknown) => void

interface ReportPorts {
  readonly log?: Pick<Log, 'error'>
  readonly isDevelopment: boolean
  readonly print: (line: string) => void
}

/**
 * SECURITY: only the error's code is logged, because the message may contain anything. Developers see the whole error.
 */
export function createReport({ log, isDevelopment, print }: ReportPorts): Report {
  return (where, error) => {
    const code = codeOf(error)
    log?.error('bug', { where, code })
    print(`${where}: ${isDevelopment && error instanceof Error ? error.stack : code}`)
  }
}

/** The error's code or, if it has none, the name of its class. An error that is a string is one of our own codes. */
export function codeOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
