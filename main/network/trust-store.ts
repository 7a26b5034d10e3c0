import type { SystemCertificates } from './system-certificates.ts'

export interface TrustOptions {
  /** Those that the program brings along (`tls.rootCertificates`). */
  readonly builtIn: () => readonly string[]
  /** The system's. `anew`: something was not trusted, so it may have changed. */
  readonly system: (anew: boolean) => Promise<SystemCertificates>
  /** What the administrator adds. */
  readonly added: () => Promise<readonly string[]>
}

export interface Trusted {
  /** PEM, none of them twice. */
  readonly certificates: readonly string[]
  readonly system: { readonly from: string; readonly count: number; readonly dropped: number }
  readonly added: number
}

const bodyOf = (pem: string): string => pem.replace(/-----[^-]*-----|\s/g, '')

/**
 * All certificates to trust: the built-in ones and, never instead of them, the system's and the administrator's.
 * Read when they are first asked for, and once more after one was missing.
 */
export class TrustStore {
  readonly #options: TrustOptions
  #reading: Promise<Trusted> | undefined
  #isAnew = false

  constructor(options: TrustOptions) {
    this.#options = options
  }

  /** Never rejects: what can't be read adds nothing. */
  get(): Promise<Trusted> {
    this.#reading ??= this.#read(this.#isAnew)
    return this.#reading
  }

  /** A certificate was not trusted: the next request reads all of them again. */
  refresh(): void {
    if (this.#reading === undefined) return
    this.#isAnew = true
    this.#reading = undefined
  }

  async #read(anew: boolean): Promise<Trusted> {
    const { builtIn, system, added } = this.#options
    const nothing: SystemCertificates = { certificates: [], dropped: 0, from: 'nowhere' }
    const [theirs, extra] = await Promise.all([system(anew).catch(() => nothing), added().catch(() => [])])
    const all = new Map([...builtIn(), ...theirs.certificates, ...extra].map((pem) => [bodyOf(pem), pem]))
    return {
      certificates: [...all.values()],
      system: { from: theirs.from, count: theirs.certificates.length, dropped: theirs.dropped },
      added: extra.length,
    }
  }
}
