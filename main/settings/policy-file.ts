import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../base/clock.ts'
import { type PolicyReading, readPolicy } from './policy.ts'

interface PolicyFilePorts {
  /** The result of `policyPath`. */
  readonly path: string
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly onChange: () => void
  readonly read?: (path: string, platform: NodeJS.Platform) => PolicyReading
}

/** How long after a change the file may still be incomplete. */
const SETTLE_MS = 300

/** The policy file, read at the start and again when it changes. */
export class PolicyFile {
  readonly #ports: PolicyFilePorts
  #reading: PolicyReading
  #watchers: readonly FSWatcher[] = []
  #cancelTimer: (() => void) | undefined

  constructor(ports: PolicyFilePorts) {
    this.#ports = ports
    this.#reading = this.#read()
  }

  /** The file's path, even if it doesn't exist. */
  get path(): string {
    return this.#ports.path
  }

  get reading(): PolicyReading {
    return this.#reading
  }

  /**
   * Watches the file's folder, or the nearest folder above it that exists. If the file is a link, also watches its
   * target in the same way. If the system can't watch them, only `check` finds a change.
   */
  start(): void {
    this.#stopWatching()
    const folders = new Set([this.#ports.path, targetOf(this.#ports.path)].map((file) => nearest(path.dirname(file))))
    try {
      for (const folder of folders) {
        const watcher = watch(folder, { persistent: false }, () => this.#later())
        watcher.on('error', () => this.#stopWatching())
        this.#watchers = [...this.#watchers, watcher]
      }
    } catch {
      this.#stopWatching()
    }
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#stopWatching()
  }

  /** Reads the file again; its permissions are checked again, too. */
  check(): void {
    const read = this.#read()
    // SECURITY: a typing error must not unlock a value. While the file can't be read, its last content applies.
    const isLost = read.problems.some(({ problem }) => problem === 'damaged' || problem === 'unreadable')
    const reading = isLost ? { ...this.#reading, problems: read.problems } : read
    if (isSameReading(reading, this.#reading)) return
    this.#reading = reading
    this.#ports.onChange()
  }

  #read(): PolicyReading {
    const { read = readPolicy, path: file, platform } = this.#ports
    return read(file, platform)
  }

  #later(): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = clock.at(clock.now() + SETTLE_MS, () => {
      this.#cancelTimer = undefined
      // The folder may have been created or replaced.
      this.start()
      this.check()
    })
  }

  #stopWatching(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }
}

/** The file's real path, without links. */
function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** The folder itself, or the nearest one above it that exists. */
function nearest(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  const above = path.dirname(folder)
  return isThere || above === folder ? folder : nearest(above)
}

function isSameReading(one: PolicyReading, other: PolicyReading): boolean {
  // A deep comparison doesn't compare the content of two Secrets.
  return isDeepStrictEqual([one, secretsOf(one)], [other, secretsOf(other)])
}

function secretsOf({ layer, connections = new Map(), tls }: PolicyReading): readonly (string | undefined)[] {
  const secrets = [layer, ...connections.values()].map(({ clientSecret }) => clientSecret)
  return [...secrets, tls?.clientCertificate?.passphrase].map((secret) => secret?.reveal())
}
