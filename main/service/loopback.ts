import type { LookupFunction } from 'node:net'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

/**
 * SECURITY: `localhost` may resolve to ::1, where another user could listen on the service's port and get the
 * credentials.
 */
export const toIpv4Loopback: LookupFunction = (_hostname, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
