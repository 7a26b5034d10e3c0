/** Limits per tool, so that one can't starve the others. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Connections at once, if the process has the descriptors. Beyond that, idle ones are closed to make room. */
  readonly connections: number
  /** Further connections that get an error; more are dropped silently. */
  readonly refusals: number
  /** How many connections may listen for events. */
  readonly listeners: number
  /** Waiting requests of one connection. Beyond that it is closed. */
  readonly waitingPerConnection: number
  /** A request: its head and its body together. */
  readonly request: number
  /**
   * For a request to arrive, from its first byte (or from the start of the connection) to its last. The server looks for
   * slow requests every `3 * arrival`, so one is cut off after at most `4 * arrival`.
   */
  readonly arrival: number
  /** An idle connection. */
  readonly idle: number
  /** For an answer that has to wait for a refresh. */
  readonly patience: number
  /** Events that a tool leaves unread. */
  readonly backlog: number
}

export const LIMITS: Limits = {
  connections: 1_024,
  refusals: 64,
  listeners: 64,
  waitingPerConnection: 16,
  request: 16 * 1_024,
  arrival: 10_000,
  idle: 60_000,
  patience: 30_000,
  backlog: 64 * 1_024,
}
