/** What a connection may be called. */

/** What the connection is called that needs no name: the one that tools get where they name none. */
export const DEFAULT_CONNECTION = 'default'

/** What a connection may be called: short, and the same in a file, a query and on a command line. */
export const CONNECTION_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** Whether a new connection can have this name. SECURITY: `constructor` can't be one; every object already has it. */
export const isNewConnectionName = (name: string): boolean => CONNECTION_NAME.test(name) && !(name in Object.prototype)
