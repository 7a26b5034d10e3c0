import type { Log } from './log.ts'

/** Tells of a bug, or of what the system refused: where, and what was thrown or said. */
export type Report = (where: string, error: unknown) => void

interface ReportPorts {
  readonly log?: Pick<Log, 'error'>
  readonly isDevelopment: boolean
  readonly print: (line: string) => void
}

/**
 * SECURITY: what an error says of itself may hold anything. The log gets its code; the whole of it is for the console
 * of whoever develops Latchkey.
 */
export function createReport({ log, isDevelopment, print }: ReportPorts): Report {
  return (where, error) => {
    const code = codeOf(error)
    log?.error('bug', { where, code })
    print(`${where}: ${isDevelopment && error instanceof Error ? error.stack : code}`)
  }
}

/** The system's code of an error, or its kind; a text is a code of our own. */
export function codeOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
