import * as v from 'valibot'
import type { AppView, ConnectionSessionView, LastSignIn } from '../../contract/views.ts'
import type { Remembered } from '../key-value-store.ts'
import type { Feature, Subscribe } from './feature.ts'

/** The last sign-ins, by the service's base address. */
type LastSignInsByAddress = Readonly<Record<string, LastSignIn>>

interface LastSignInsPorts {
  readonly connections: {
    readonly view: {
      readonly shown: string
      readonly connections: readonly Pick<ConnectionSessionView, 'name' | 'connection' | 'session'>[]
    }
    readonly subscribe: Subscribe
  }
  readonly stored: Remembered<LastSignInsByAddress>
}

const stored = v.record(
  v.string(),
  v.strictObject({ username: v.pipe(v.string(), v.maxLength(512)), grant: v.pipe(v.string(), v.maxLength(64)) }),
)

/**
 * Remembers each connection's last username and sign-in method, to fill in the next sign-in form. Stores nothing
 * secret.
 */
export class LastSignIns implements Feature<never, 'lastSignIn'> {
  readonly handlers = {}
  readonly #ports: LastSignInsPorts
  /** Read from the settings on first use. */
  #read: LastSignInsByAddress | undefined
  #undo = (): void => {}

  constructor(ports: LastSignInsPorts) {
    this.#ports = ports
  }

  view(): Pick<AppView, 'lastSignIn'> {
    const { connections, shown } = this.#ports.connections.view
    const address = connections.find(({ name }) => name === shown)?.connection?.baseAddress
    const lastSignIn = address === undefined ? undefined : this.#known[address]
    return lastSignIn === undefined ? {} : { lastSignIn }
  }

  start(): void {
    this.#undo = this.#ports.connections.subscribe(() => this.#note())
    this.#note()
  }

  stop(): void {
    this.#undo()
  }

  get #known(): LastSignInsByAddress {
    this.#read ??= parse(this.#ports.stored.get())
    return this.#read
  }

  /** Writes the last sign-ins if they have changed. Also removes the entries of removed connections. */
  #note(): void {
    const next = Object.fromEntries(
      this.#ports.connections.view.connections.flatMap(({ connection, session }) => {
        if (connection === undefined) return []
        const { baseAddress } = connection
        const last = 'account' in session ? lastSignInOf(session.account) : this.#known[baseAddress]
        return last === undefined ? [] : [[baseAddress, last] as const]
      }),
    )
    if (JSON.stringify(next) === JSON.stringify(this.#known)) return
    this.#read = next
    try {
      this.#ports.stored.set(next)
    } catch {
      // A full disk must not make a sign-in or a change of address fail. The last sign-ins then stay in memory until
      // the app ends.
    }
  }
}

/** Damaged values are ignored. */
function parse(value: unknown): LastSignInsByAddress {
  const parsed = v.safeParse(stored, value)
  return parsed.success ? parsed.output : {}
}

const lastSignInOf = ({ username, grant }: { username: string; grant: { name: string } }): LastSignIn => ({
  username,
  grant: grant.name,
})
