import * as v from 'valibot'
import type { AccountView, AppView, LastSignIn } from '../../contract/views.ts'
import type { Remembered } from '../base/key-value-store.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'

type LastSignInsByAddress = Readonly<Record<string, LastSignIn>>

interface LastSignInsPorts {
  readonly connections: Pick<ConnectionManager, 'shown' | 'accounts' | 'subscribe'>
  readonly stored: Remembered<LastSignInsByAddress>
  readonly changed: () => void
}

const lastSignIn = v.strictObject({
  username: v.pipe(v.string(), v.maxLength(512)),
  grant: v.pipe(v.string(), v.maxLength(64)),
})
const stored = v.fallback(v.record(v.string(), lastSignIn), {})

export class LastSignIns {
  readonly #ports: LastSignInsPorts
  #read: LastSignInsByAddress | undefined
  #undo = (): void => {}

  constructor(ports: LastSignInsPorts) {
    this.#ports = ports
  }

  view(): Pick<AppView, 'lastSignIn'> {
    const { shown, accounts } = this.#ports.connections
    const address = accounts.find(({ name }) => name === shown)?.address
    const lastSignIn = address === undefined ? undefined : this.#known[address]
    return lastSignIn === undefined ? {} : { lastSignIn }
  }

  start(): void {
    this.#undo = this.#ports.connections.subscribe(() => this.#note())
  }

  stop(): void {
    this.#undo()
  }

  get #known(): LastSignInsByAddress {
    this.#read ??= v.parse(stored, this.#ports.stored.get())
    return this.#read
  }

  /** Writes the last sign-ins if they have changed. Also removes the entries of removed connections. */
  #note(): void {
    const { connections, changed } = this.#ports
    const next = Object.fromEntries(
      connections.accounts.flatMap(({ address, account }) => {
        if (address === undefined) return []
        const last = account === undefined ? this.#known[address] : lastSignInOf(account)
        return last === undefined ? [] : [[address, last] as const]
      }),
    )
    if (JSON.stringify(next) === JSON.stringify(this.#known)) return
    this.#read = next
    this.#ports.stored.set(next)
    changed()
  }
}

/** A username is stored only if the user has typed it. In other sign-ins, the provider may give an id as the name. */
const lastSignInOf = ({ username, grant }: Pick<AccountView, 'username' | 'grant'>): LastSignIn => ({
  username: grant.fields.length > 0 ? username : '',
  grant: grant.name,
})
