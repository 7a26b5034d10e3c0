/** How hard a password is to guess: guidance, never a rule. */
export interface Strength {
  /** From very weak to strong. */
  readonly level: 0 | 1 | 2 | 3 | 4
  /** What makes it weak, where it is. */
  readonly hint: 'common' | 'word' | 'name' | 'pattern' | 'date' | 'short'
}
