/** The passwords are in plain text, because they are invented and public. */
export interface DemoUser {
  readonly username: string
  readonly password: string
  /** The name that is displayed. */
  readonly name: string
  /** The subject in the user's tokens; by default `demo|` and the username. */
  readonly sub?: string
}

export interface Person {
  readonly username: string
  readonly name: string
  readonly sub: string
}

/** The demo prints this user's name and password when it starts. */
export const ANA: DemoUser = { username: 'ana', password: 'quiet harbour lamp', name: 'Ana Duarte' }

export const DEMO_USERS: readonly DemoUser[] = [
  ANA,
  { username: 'ana.müller', password: 'schöner grüner Schlüssel', name: 'Ana Müller' },
]

/** Compares usernames and passwords in Unicode Normalization Form C (RFC 7617 section 2.1). */
export class UserList<User extends DemoUser = DemoUser> {
  readonly #entries: Map<string, { readonly person: Person; readonly user: User; password: string }>

  constructor(users: readonly User[]) {
    this.#entries = new Map(
      users.map((user) => {
        const { username, password, name, sub = `demo|${username}` } = user
        return [username.normalize(), { user, person: { username, name, sub }, password }]
      }),
    )
  }

  authenticate(username: string, password: string): { readonly person: Person; readonly user: User } | undefined {
    const entry = this.#entries.get(username.normalize())
    return entry && entry.password.normalize() === password.normalize() ? entry : undefined
  }

  setPassword(person: Person, password: string): void {
    const entry = this.#entries.get(person.username.normalize())
    if (entry) entry.password = password
  }
}
