export const DEFAULT_CONNECTION = 'default'

/** A name of this form needs no escaping in a configuration file, in a URL or on a command line. */
export const CONNECTION_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** SECURITY: `constructor` isn't allowed, because every object already has a member of that name. */
export const isNewConnectionName = (name: string): boolean => CONNECTION_NAME.test(name) && !(name in Object.prototype)
