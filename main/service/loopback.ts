const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/** Whether a URL's host name is this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)
