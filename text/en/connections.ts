export const enConnections = {
  label: 'Connections',
  heading: 'Connections',
  /** About a connection that the user adds. */
  lead: 'It has its own session. Tools use the first connection unless they name another.',
  addOne: 'Add a connection…',
  name: 'Name for your tools',
  /** A command that contains the name follows this text. */
  nameHint: 'Use lowercase letters, digits, - and _, as in',
  address: 'Address of the service',
  notAName: 'Use up to 32 lowercase letters, digits, - and _. Start with a letter or a digit.',
  nameMissing: 'Enter a name.',
  add: 'Add a connection',
  adding: 'Adding…',
  remove: (name: string): string => `Remove ${name}`,
  removing: 'Removing…',
  removed: (name: string): string => `${name} removed.`,
  /** The question before a connection is removed. */
  removal: {
    title: (name: string): string => `Remove ${name}?`,
    body: 'You’ll be signed out of it, and your tools can no longer use it.',
    confirm: 'Remove',
    keep: 'Keep',
  },
  /** Shown if removing a connection failed. */
  stillThere: 'You can remove the connection once the service has ended the session.',
  attention: (count: number): string => (count === 1 ? '1 other needs attention' : `${count} others need attention`),
  managed: 'Only your administrator can add connections.',
}
