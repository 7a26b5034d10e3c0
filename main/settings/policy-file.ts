import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../session/ports.ts'
import { type PolicyReading, readPolicy } from './policy.ts'

interface PolicyFilePorts {
  /** From `policyPath`. */
  readonly path: string
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly onChange: () => void
  readonly read?: (path: string, platform: NodeJS.Platform) => PolicyReading
}

/** How long a file that is being written is left alone: milliseconds. */
const SETTLE = 300

/** The administrator's file, read at the start and again when it changes. */
export class PolicyFile {
  readonly #ports: PolicyFilePorts
  #reading: PolicyReading
  #watchers: readonly FSWatcher[] = []
  #cancelTimer: (() => void) | undefined

  constructor(ports: PolicyFilePorts) {
    this.#ports = ports
    this.#reading = this.#read()
  }

  /** Where it lies, if it is there. */
  get path(): string {
    return this.#ports.path
  }

  get reading(): PolicyReading {
    return this.#reading
  }

  /**
   * Watches the folder of the file, or the nearest there is, and the one that a link leads to; where the system can't,
   * `check` alone tells.
   */
  start(): void {
    this.#forget()
    const folders = new Set([this.#ports.path, targetOf(this.#ports.path)].map((file) => nearest(path.dirname(file))))
    try {
      for (const folder of folders) {
        const watcher = watch(folder, { persistent: false }, () => this.#later())
        watcher.on('error', () => this.#forget())
        this.#watchers = [...this.#watchers, watcher]
      }
    } catch {
      this.#forget()
    }
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#forget()
  }

  /** Reads the file again; its guard applies again, too. */
  check(): void {
    const read = this.#read()
    // SECURITY: a slip of the pen takes no lock away. What can't be read says nothing against what was said before.
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
    this.#cancelTimer = clock.at(clock.now() + SETTLE, () => {
      this.#cancelTimer = undefined
      // The folder may have come, or gone and come again.
      this.start()
      this.check()
    })
  }

  #forget(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }
}

/** Where the file is in truth. */
function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** The folder itself, or the first above it that is there. */
function nearest(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  const above = path.dirname(folder)
  return isThere || above === folder ? folder : nearest(above)
}

function isSameReading(one: PolicyReading, other: PolicyReading): boolean {
  // What a secret holds isn't compared with the object that it is.
  return isDeepStrictEqual([one, secretsOf(one)], [other, secretsOf(other)])
}

function secretsOf({ layer, connections = new Map(), tls }: PolicyReading): readonly (string | undefined)[] {
  const secrets = [layer, ...connections.values()].map(({ clientSecret }) => clientSecret)
  return [...secrets, tls?.clientCertificate?.passphrase].map((secret) => secret?.reveal())
}
