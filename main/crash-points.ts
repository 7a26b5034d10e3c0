/**
 * Test builds only: ends the process at a chosen step, as a power cut would, by wrapping the ports between the
 * engine and the world. No other build contains this file.
 */
import type { AuthorizationServer, AuthService, SecretStore, StoredMarker } from './session/ports.ts'

/** `LATCHKEY_CRASH_AT`: the call, before or after it, and at which occurrence, as in `refresh:after:1`. */
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
    const around = this.#around.bind(this)
    return {
      store: {
        get persistence() {
          return store.persistence
        },
        read: (name) => store.read(name),
        write: (name, value) => around('write', () => store.write(name, value)),
        delete: (name) => around('delete', () => store.delete(name)),
      },
      marker: {
        get: (name) => marker.get(name),
        set: (name, mark) => this.#aroundNow(`mark-${mark}`, () => marker.set(name, mark)),
        clear: (name) => this.#aroundNow('unmark', () => marker.clear(name)),
      },
    }
  }

  service(service: AuthService): AuthService {
    const around = this.#around.bind(this)
    return {
      ...service,
      login: (credentials) => around('login', () => service.login(credentials)),
      refresh: (token) => around('refresh', () => service.refresh(token)),
      logout: (access, refresh) => around('logout', () => service.logout(access, refresh)),
    }
  }

  authorizationServer(server: AuthorizationServer): AuthorizationServer {
    const around = this.#around.bind(this)
    return {
      ...server,
      async authorize(redirectUri) {
        const begun = await server.authorize(redirectUri)
        if (!begun.ok) return begun
        const { redeem } = begun.value
        return { ok: true, value: { ...begun.value, redeem: (callback) => around('redeem', () => redeem(callback)) } }
      },
    }
  }

  async #around<T>(call: string, work: () => Promise<T>): Promise<T> {
    this.#reach(`${call}:before`)
    const result = await work()
    this.#reach(`${call}:after`)
    return result
  }

  #aroundNow(call: string, work: () => void): void {
    this.#reach(`${call}:before`)
    work()
    this.#reach(`${call}:after`)
  }

  #reach(point: string): void {
    const count = (this.#counts.get(point) ?? 0) + 1
    this.#counts.set(point, count)
    if (this.#at === `${point}:${count}`) process.kill(process.pid, 'SIGKILL')
  }
}
