/** What one tool may take, so that the others have theirs. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Connections at once, where the process has the descriptors; over that, those that only stand by are closed to make room. */
  readonly connections: number
  /** Connections over that which are told so; yet more are dropped without a word. */
  readonly refusals: number
  /** Of all the connections, those that listen for events. */
  readonly listeners: number
  /** Requests of one connection that wait for an answer; beyond that it is closed. */
  readonly waitingPerConnection: number
  /** A request: its head and its body together. */
  readonly request: number
  /**
   * For a request to arrive, from its first byte (or from the start of the connection) to its last. The server looks for
   * slow requests every `3 * arrival`, so one is cut off after at most `4 * arrival`.
   */
  readonly arrival: number
  /** A connection on which nothing happens. */
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
