import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'
import { promisify } from 'node:util'
import type { Environment } from './environment.ts'
import { type SystemCertificates, systemCertificates } from './system-certificates.ts'
import { type ReadGuarded, readTlsFiles, type TlsPolicy } from './tls-files.ts'

export interface TrustOptions {
  readonly builtIn: () => readonly string[]
  /** `isReread`: a certificate was not trusted, so the system's list may have changed since it was last read. */
  readonly system: (isReread: boolean) => Promise<SystemCertificates>
  readonly added: () => Promise<readonly string[]>
}

interface Trusted {
  /** The certificates as PEM, without duplicates. */
  readonly certificates: readonly string[]
  readonly system: { readonly from: string; readonly count: number; readonly dropped: number }
  readonly added: number
}

const bodyOf = (pem: string): string => pem.replace(/-----[^-]*-----|\s/g, '')

/** The trusted certificates. They are read on first use, and again after a server's certificate was not trusted. */
export class TrustStore {
  readonly #options: TrustOptions
  #reading: Promise<Trusted> | undefined
  #mustReread = false

  constructor(options: TrustOptions) {
    this.#options = options
  }

  /** Never rejects. A source that can't be read adds nothing. */
  get(): Promise<Trusted> {
    this.#reading ??= this.#read(this.#mustReread)
    return this.#reading
  }

  /** Call this when a server's certificate was not trusted. The next `get` then reads all certificates again. */
  refresh(): void {
    if (this.#reading === undefined) return
    this.#mustReread = true
    this.#reading = undefined
  }

  async #read(isReread: boolean): Promise<Trusted> {
    const { builtIn, system, added } = this.#options
    const nothing: SystemCertificates = { certificates: [], dropped: 0, from: 'nowhere' }
    const [theirs, extra] = await Promise.all([system(isReread).catch(() => nothing), added().catch(() => [])])
    const all = new Map([...builtIn(), ...theirs.certificates, ...extra].map((pem) => [bodyOf(pem), pem]))
    return {
      certificates: [...all.values()],
      system: { from: theirs.from, count: theirs.certificates.length, dropped: theirs.dropped },
      added: extra.length,
    }
  }
}

/** An export only takes this long if its process hangs. */
const EXPORT_TIMEOUT_MS = 20_000
const LARGEST_EXPORT_BYTES = 32 * 1024 * 1024

async function run(program: string, args: readonly string[]): Promise<string> {
  const options = {
    timeout: EXPORT_TIMEOUT_MS,
    maxBuffer: LARGEST_EXPORT_BYTES,
    windowsHide: true,
    encoding: 'latin1',
  } as const
  return (await promisify(execFile)(program, args, options)).stdout
}

export interface TrustPorts {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly policy: () => TlsPolicy
  readonly readGuarded: ReadGuarded
}

/** Nothing is read before it is needed. */
export function createTrust({ env, platform, policy, readGuarded }: TrustPorts) {
  const files = () => readTlsFiles(policy(), readGuarded)
  const native = typeof tls.getCACertificates === 'function' && (() => tls.getCACertificates('system'))
  const system = { platform, env, run, readFile: (path: string) => readFile(path, 'latin1'), ...(native && { native }) }
  const store = new TrustStore({
    builtIn: () => tls.rootCertificates,
    system: (isReread) => systemCertificates(system, isReread),
    added: async () => files().added,
  })
  return { files, store }
}
