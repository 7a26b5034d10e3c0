import { readFileSync } from 'node:fs'
import { type Limits, MOST_REMOTES, REMOTE_LIMITS } from './limits.ts'

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
