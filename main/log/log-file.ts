import type { EventEmitter } from 'node:events'
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs'
// SECURITY: `electron-log` and `electron-log/main` aren't used: any page can write to the log over their IPC channel.
import electronLog from 'electron-log/node'
import type { Clock } from '../base/clock.ts'
import { forTerminal } from '../base/display-text.ts'
import { LARGEST_FILE, lastLines, logFile, rotateFiles } from './files.ts'
import { logLine } from './line.ts'
import type { Log, LogFields, LogLevel } from './log.ts'

interface LogOptions {
  readonly folder: string
  readonly clock: Pick<Clock, 'wall'>
  readonly print: (line: string) => void
}

export interface OpenLog extends Log {
  readonly folder: string
  /** The system's error code if the log can't be written. If there is one, nothing is logged. */
  readonly problem?: string
  /** The last lines, the oldest first. */
  tail(count: number): Promise<readonly string[]>
}

/** Five private files of 1 MiB. Each line is written when the call returns, so a crash loses none. Never throws. */
export function openLog({ folder, clock, print }: LogOptions): OpenLog {
  const problem = makePrivate(folder)
  const logger = electronLog.create({ logId: folder })
  const { file, console: toConsole, remote, ipc } = logger.transports
  toConsole.level = false
  if (remote) remote.level = false
  if (ipc) ipc.level = false
  file.level = problem === undefined ? 'info' : false
  file.resolvePathFn = () => logFile(folder, 0)
  file.maxSize = LARGEST_FILE
  // SECURITY: only the owner can read the log, because hosts, times and states are private.
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  // electron-log's own transforms would take `%c` in the line for a style.
  file.transforms = [({ data }) => data[0]]
  file.archiveLogFn = (full) => {
    try {
      rotateFiles(folder)
    } catch {
      // On Windows, a virus scanner may prevent the renaming. The log must not grow for ever, so it is emptied.
      full.clear()
    }
  }
  // The types don't say that electron-log's files are emitters.
  if (problem === undefined) sayOnce(file.getFile() as unknown as EventEmitter, folder, print)
  const write = (at: LogLevel) => (event: string, fields?: LogFields) => {
    logger[at](logLine({ level: at, event, ...(fields && { fields }) }, clock.wall()))
  }
  return {
    folder,
    ...(problem !== undefined && { problem }),
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    tail: (count) => lastLines(folder, count),
  }
}

/** Prints one sentence if lines can't be written. By itself, electron-log would print a stack for each line. */
function sayOnce(file: EventEmitter, folder: string, print: (line: string) => void): void {
  const ignore = () => {}
  file.removeAllListeners('error').on('error', ignore)
  file.once('error', ({ message }: Error) => {
    const code = message.match(/\bE[A-Z]{2,}(?=:)/)?.[0] ?? 'unknown'
    print(forTerminal(`Latchkey can't write its log in ${folder} (${code}). It goes on without these lines.`))
  })
}

/** Returns the system's error code if it refuses. */
function makePrivate(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    const file = openSync(logFile(folder, 0), 'a', 0o600)
    fchmodSync(file, 0o600)
    closeSync(file)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}
