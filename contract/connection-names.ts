/** The rules for connection names. */

/** Tools use it unless they name another. */
export const DEFAULT_CONNECTION = 'default'

/** A valid name is short, and needs no escaping in a configuration file, in a URL or on a command line. */
export const CONNECTION_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/**
 * True if a new connection can have this name. SECURITY: `constructor` is not allowed, because every object already has
 * a member of that name.
 */
export const isNewConnectionName = (name: string): boolean => CONNECTION_NAME.test(name) && !(name in Object.prototype)
