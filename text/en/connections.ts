/** English: several connections next to one another. */
export const enConnections = {
  label: 'Connections',
  heading: 'Connections',
  lead: 'Each has a session of its own. Tools get the first one, unless they name another.',
  /** `name` is what tools call it. */
  line: (name: string, host: string | undefined): string => (host === undefined ? name : `${name} · ${host}`),
  name: 'Name for your tools',
  /** Before a command that says it. */
  nameHint: 'Lowercase letters and digits, such as staging:',
  address: 'Address of its service',
  notAName: 'Use up to 32 lowercase letters, digits, - and _. Begin with a letter or a digit.',
  nameMissing: 'Enter a name.',
  add: 'Add connection',
  adding: 'Adding…',
  remove: (name: string): string => `Remove ${name}`,
  removing: 'Removing…',
  /** Asked before one is removed. */
  removal: {
    title: (name: string): string => `Remove ${name}?`,
    body: 'You’ll be signed out of it, and your tools can no longer use it.',
    confirm: 'Remove',
    keep: 'Keep',
  },
  /** Why one was not removed. */
  stillThere: 'It stays here until the service has ended its session.',
  /** Marks one of the user's own among those that the administrator set. */
  own: 'Added by you',
  /** Of those that aren't shown. */
  attention: (count: number): string => (count === 1 ? '1 other needs attention' : `${count} others need attention`),
  managed: 'Only your administrator can add connections.',
}
