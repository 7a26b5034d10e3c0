import { readFileSync } from 'node:fs'
import { TOKEN_TIMEOUT_MS } from './token-broker.ts'

/** Limits that keep a tool from using up what the others need. Times are in milliseconds, sizes in bytes. */
export interface Limits {
  /** The most open connections; fewer if the system limits open files. Beyond that, idle ones are closed. */
  readonly connections: number
  /** How many connections beyond `connections` get an error. Further ones are dropped. */
  readonly refusals: number
  readonly listeners: number
  /** How many requests can wait for a sign-in (`wait`) at a time. */
  readonly waiters: number
  /** How many requests of one connection can wait. If one more waits, the connection is closed. */
  readonly waitingPerConnection: number
  readonly head: number
  /** Any token fits: an issuer's response has at most 256 KiB, and JSON escapes at most double that. */
  readonly body: number
  /** How many bodies longer than `head` can arrive at a time. */
  readonly longBodies: number
  /** How long a request's head may take to arrive, and then its body. Heads are only checked every `3 * arrival`. */
  readonly arrival: number
  readonly idle: number
  /** How long a reply may wait for a refresh. */
  readonly answer: number
  /** How many bytes of events a tool can leave unread. */
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

export const MOST_REMOTES = 8

/** SECURITY: one remote machine can use up only its own share. */
export const REMOTE_LIMITS: Limits = {
  ...LIMITS,
  connections: 24,
  refusals: 8,
  listeners: 8,
  waiters: 8,
  longBodies: 1,
}

/** The file descriptors that the app itself needs for Chromium, the keychain, requests and files. */
const APP_DESCRIPTORS = 256
/** The room if the limit for open files is unknown, as on macOS: half of launchd's usual 256. */
const MACOS_ROOM = 128
/** If the process has room for fewer connections than the limits allow, this share of them gets an error. */
const REFUSALS_SHARE = 1 / 17

export function roomForConnections(platform: NodeJS.Platform, readLimits = readOwnLimits): number {
  // A process on Windows can have millions of handles, and a pipe takes one.
  if (platform === 'win32') return Number.POSITIVE_INFINITY
  const limit = platform === 'linux' ? parseLimit(readLimits()) : undefined
  if (limit === undefined) return MACOS_ROOM
  return Math.max(limit - APP_DESCRIPTORS, Math.floor(limit / 4))
}

/** How many connections all remote machines together may have: at most a third of the process's connections. */
export const roomForRemotes = (room: number): number =>
  Math.min(MOST_REMOTES * (REMOTE_LIMITS.connections + REMOTE_LIMITS.refusals), Math.floor(room / 3))

/** SECURITY: lowers the limits, so that tools can't use up the app's file descriptors. */
export function limitedTo(limits: Limits, room: number): Limits {
  if (limits.connections + limits.refusals <= room) return limits
  const refusals = Math.min(limits.refusals, Math.ceil(room * REFUSALS_SHARE))
  const connections = Math.min(limits.connections, room - refusals)
  // At least half of the connections are left to tools that don't wait.
  return { ...limits, refusals, connections, waiters: Math.min(limits.waiters, Math.floor(connections / 2)) }
}

/** The soft limit for open files from `/proc/self/limits` (proc_pid_limits(5)). */
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
