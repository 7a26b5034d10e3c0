/** English: several connections. */
export const enConnections = {
  label: 'Connections',
  heading: 'Connections',
  /** About another connection. */
  lead: 'It has its own session. Tools use the first connection unless they name another.',
  /** Opens the form. */
  addOne: 'Add a connection…',
  name: 'Name for your tools',
  /** Shown before a command that contains the name. */
  nameHint: 'Use lowercase letters, digits, - and _, as in',
  address: 'Address of the service',
  notAName: 'Use up to 32 lowercase letters, digits, - and _. Start with a letter or a digit.',
  nameMissing: 'Enter a name.',
  add: 'Add a connection',
  adding: 'Adding…',
  remove: (name: string): string => `Remove ${name}`,
  removing: 'Removing…',
  removed: (name: string): string => `${name} removed.`,
  /** Asked before a connection is removed. */
  removal: {
    title: (name: string): string => `Remove ${name}?`,
    body: 'You’ll be signed out of it, and your tools can no longer use it.',
    confirm: 'Remove',
    keep: 'Keep',
  },
  /** Shown if removing a connection fails. */
  stillThere: 'You can remove the connection once the service has ended the session.',
  /** The number of other connections that need attention. */
  attention: (count: number): string => (count === 1 ? '1 other needs attention' : `${count} others need attention`),
  managed: 'Only your administrator can add connections.',
}
