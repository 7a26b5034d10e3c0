import { readFileSync } from 'node:fs'
import { TOKEN_TIMEOUT_MS } from './token-broker.ts'

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
  /** The most requests that may wait for a sign-in (`wait`). */
  readonly waiters: number
  /** The most waiting requests of one connection. With more, the connection is closed. */
  readonly waitingPerConnection: number
  /** The most bytes of a request's head. */
  readonly head: number
  /**
   * The most bytes of a body. A body contains one token, which came in a response of at most 256 KiB; JSON doubles some
   * characters.
   */
  readonly body: number
  /** How many bodies that are longer than `head` may arrive at the same time. */
  readonly longBodies: number
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
  waiters: 128,
  waitingPerConnection: 16,
  head: 16 * 1_024,
  body: 512 * 1_024,
  longBodies: 8,
  arrival: 10_000,
  idle: 60_000,
  answer: TOKEN_TIMEOUT_MS,
  backlog: 64 * 1_024,
}

/** The most sockets for remote machines at the same time. */
export const MOST_REMOTES = 8

/** SECURITY: what one remote machine gets. It can use up its own share, and nothing of this desktop's tools. */
export const REMOTE_LIMITS: Limits = {
  ...LIMITS,
  connections: 24,
  refusals: 8,
  listeners: 8,
  waiters: 8,
  longBodies: 1,
}

/** Descriptors that the app itself needs: Chromium's pipes and shared memory, the keychain, requests, files. */
const APP_DESCRIPTORS = 256
/**
 * The room for connections if the process's limit for open files is unknown, as it always is on macOS. This is half of
 * launchd's usual limit of 256.
 */
const MACOS_ROOM = 128
/**
 * If the limits exceed the room, this share of the room is for connections that the agent accepts only to answer that
 * there are too many.
 */
const REFUSALS_SHARE = 1 / 17

/** How many connections may be open without using up the app's file descriptors. */
export function roomForConnections(platform: NodeJS.Platform, readLimits = readOwnLimits): number {
  // A pipe uses a handle, and a process on Windows can have millions of handles.
  if (platform === 'win32') return Number.POSITIVE_INFINITY
  const limit = platform === 'linux' ? parseLimit(readLimits()) : undefined
  if (limit === undefined) return MACOS_ROOM
  return Math.max(limit - APP_DESCRIPTORS, Math.floor(limit / 4))
}

/** How many of these connections all remote machines together may have: at most a third. */
export const roomForRemotes = (room: number): number =>
  Math.min(MOST_REMOTES * (REMOTE_LIMITS.connections + REMOTE_LIMITS.refusals), Math.floor(room / 3))

/** Lowers the limits for connections if they exceed `room`. SECURITY: tools can't use up the app's descriptors. */
export function limitedTo(limits: Limits, room: number): Limits {
  if (limits.connections + limits.refusals <= room) return limits
  const refusals = Math.min(limits.refusals, Math.ceil(room * REFUSALS_SHARE))
  const connections = Math.min(limits.connections, room - refusals)
  // Tools that wait leave at least half of the connections to the others.
  return { ...limits, refusals, connections, waiters: Math.min(limits.waiters, Math.floor(connections / 2)) }
}

/** The soft limit for open files in `/proc/self/limits` (proc_pid_limits(5)). */
function parseLimit(text: string | undefined): number | undefined {
  const [, soft] = /^Max open files +(\d+|unlimited) /m.exec(text ?? '') ?? []
  if (soft === undefined) return undefined
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

function readOwnLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
}
