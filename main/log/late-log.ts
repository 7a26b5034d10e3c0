import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'

/** More than ever happens before the log is open: events. */
const MOST = 200

/** A log that is opened after the app has started: what happens before is kept, and said then. */
export class LateLog implements Log {
  readonly #early: LogEvent[] = []
  #log: Log | undefined

  /** All that was said so far goes there, and all that is said from now on. */
  open(log: Log): void {
    this.#log = log
    for (const { level, event, fields } of this.#early.splice(0)) log[level](event, fields)
  }

  error(event: string, fields?: LogFields): void {
    this.#say('error', event, fields)
  }

  warn(event: string, fields?: LogFields): void {
    this.#say('warn', event, fields)
  }

  info(event: string, fields?: LogFields): void {
    this.#say('info', event, fields)
  }

  #say(level: LogLevel, event: string, fields: LogFields | undefined): void {
    if (this.#log !== undefined) this.#log[level](event, fields)
    else if (this.#early.length < MOST) this.#early.push({ level, event, ...(fields && { fields }) })
  }
}
