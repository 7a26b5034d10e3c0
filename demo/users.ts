/** The passwords are in plain text, because they are invented and public. */
export interface DemoUser {
  readonly username: string
  readonly password: string
  readonly name: string
}

/** The demo prints this user's name and password when it starts. */
export const ANA: DemoUser = { username: 'ana', password: 'quiet harbour lamp', name: 'Ana Duarte' }

export const DEMO_USERS: readonly DemoUser[] = [
  ANA,
  { username: 'ana.müller', password: 'schöner grüner Schlüssel', name: 'Ana Müller' },
]

/** Compares usernames and passwords in Unicode Normalization Form C (RFC 7617 section 2.1). */
export class UserList<User extends DemoUser = DemoUser> {
  readonly #users: readonly User[]
  readonly #changed = new Map<string, string>()

  constructor(users: readonly User[]) {
    this.#users = users
  }

  authenticate(username: string, password: string): User | undefined {
    const user = this.#users.find((each) => each.username.normalize() === username.normalize())
    const current = user && (this.#changed.get(user.username) ?? user.password)
    return current?.normalize() === password.normalize() ? user : undefined
  }

  setPassword({ username }: DemoUser, password: string): void {
    this.#changed.set(username, password)
  }
}
