/** How hard a password is to guess. This is guidance, never a requirement. */
export interface Strength {
  /** The levels, from very weak to strong. */
  readonly level: 0 | 1 | 2 | 3 | 4
  /** The main weakness, for passwords that aren't strong. */
  readonly hint: 'common' | 'word' | 'name' | 'pattern' | 'date' | 'short'
}
