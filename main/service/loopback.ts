const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/** True if a URL's host name means this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)
