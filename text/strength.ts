/** How hard a password is to guess: advice, never a requirement. */
export interface Strength {
  readonly level: 0 | 1 | 2 | 3 | 4
  readonly hint: 'common' | 'word' | 'name' | 'pattern' | 'date' | 'short'
}
