/** Limits for tools, so that one tool can't use up what the others need. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /**
   * The most simultaneous connections. The number is lower if the system's limit on open files requires it. When there
   * are more connections, idle ones are closed.
   */
  readonly connections: number
  /** How many connections beyond `connections` get an error. Any further connection is dropped silently. */
  readonly refusals: number
  /** The most connections that may listen for events. */
  readonly listeners: number
  /** The most waiting requests of one connection. With more, the connection is closed. */
  readonly waitingPerConnection: number
  /** The most bytes of a request, head and body together. */
  readonly request: number
  /**
   * The time for a request to arrive, from its first byte (or from the start of the connection) to its last. The server
   * looks for slow requests every `3 * arrival`, so a slow request is cut off after at most `4 * arrival`.
   */
  readonly arrival: number
  /** The time until an idle connection is closed. */
  readonly idle: number
  /** How long an answer may wait for a refresh. */
  readonly answer: number
  /** The most bytes of events that a tool may leave unread. */
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
  answer: 30_000,
  backlog: 64 * 1_024,
}
