/** Ends the process at a chosen step, as a power cut would. This code is only in the builds for the crash tests. */
import type { AuthorizationServer, SecretStore, StoredMarker } from '../session/ports.ts'

/** `CALL:before:N` or `CALL:after:N`: `refresh:after:1` ends the process after the first refresh. */
const VARIABLE = 'LATCHKEY_CRASH_AT'

interface Ports {
  readonly store: SecretStore
  readonly marker: StoredMarker
}

export class CrashPoints {
  readonly #at: string | undefined
  readonly #counts = new Map<string, number>()

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#at = env[VARIABLE]
  }

  ports({ store, marker }: Ports): Ports {
    const changes = this.around({ write: store.write.bind(store), delete: store.delete.bind(store) })
    return {
      store: {
        get persistence() {
          return store.persistence
        },
        read: (name) => store.read(name),
        ...changes,
      },
      marker: {
        get: (name) => marker.get(name),
        set: (name, mark) => this.#aroundNow(`mark-${mark}`, () => marker.set(name, mark)),
        clear: (name) => this.#aroundNow('unmark', () => marker.clear(name)),
      },
    }
  }

  around<Port extends object>(port: Port): Port {
    const wrapped = Object.entries(port).map(([name, member]: [string, unknown]) => {
      if (typeof member !== 'function') return [name, member]
      return [name, (...args: unknown[]) => this.#around(name, async () => member(...args))]
    })
    return Object.fromEntries(wrapped)
  }

  authorizationServer(server: AuthorizationServer): AuthorizationServer {
    const { authorize, ...rest } = this.around(server)
    return {
      ...rest,
      authorize: async (redirectUri, asksConsent) => {
        const begun = await authorize(redirectUri, asksConsent)
        if (!begun.ok) return begun
        const { isOurs, address, redeem } = begun.value
        return { ok: true, value: { isOurs, address, ...this.around({ redeem }) } }
      },
    }
  }

  async #around<T>(call: string, work: () => Promise<T>): Promise<T> {
    this.#reach(`${call}:before`)
    const result = await work()
    this.#reach(`${call}:after`)
    return result
  }

  #aroundNow<T>(call: string, work: () => T): T {
    this.#reach(`${call}:before`)
    const result = work()
    this.#reach(`${call}:after`)
    return result
  }

  #reach(point: string): void {
    const count = (this.#counts.get(point) ?? 0) + 1
    this.#counts.set(point, count)
    if (this.#at === `${point}:${count}`) process.kill(process.pid, 'SIGKILL')
  }
}
