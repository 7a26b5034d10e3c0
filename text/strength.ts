/** How hard a password is to guess: advice, never a requirement. */
export interface Strength {
  /** How strong the password is, from very weak to strong. */
  readonly level: 0 | 1 | 2 | 3 | 4
  /** The main weakness of a password that isn't strong. */
  readonly hint: 'common' | 'word' | 'name' | 'pattern' | 'date' | 'short'
}
