import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../base/clock.ts'
import { mergePolicies, NO_POLICY, type PolicyReading } from './policy.ts'
import type { PolicyPlace } from './policy-places.ts'
import type { SettingsProblem } from './problems.ts'

interface PolicyWatchPorts {
  readonly places: readonly PolicyPlace[]
  readonly path: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly onChange: () => void
}

/** How long a program may take to write the file completely. */
const SETTLE_MS = 300
/** How often the places that can't be watched are read. */
const INTERVAL_MS = 15 * 60_000

export class PolicyWatch {
  readonly #ports: PolicyWatchPorts
  #readings: readonly PolicyReading[]
  #reading: PolicyReading
  #watchers: readonly FSWatcher[] = []
  #cancelTimer: (() => void) | undefined
  #cancelNext: (() => void) | undefined

  constructor(ports: PolicyWatchPorts) {
    this.#ports = ports
    this.#readings = ports.places.map((place) => place.read())
    this.#reading = mergePolicies(this.#readings)
  }

  get path(): string {
    return this.#ports.path
  }

  get reading(): PolicyReading {
    return this.#reading
  }

  start(): void {
    this.#watch()
    this.#readLater()
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#cancelNext?.()
    this.#cancelNext = undefined
    this.#stopWatching()
  }

  /** Reads all places again, and checks the file's permissions again. */
  check(): void {
    this.#readings = this.#ports.places.map((place, index) => {
      const read = place.read()
      // SECURITY: a mistyped policy must not unlock a value. So a damaged or unreadable place keeps its last content.
      const isLost = read.problems.some(({ problem }) => problem === 'damaged' || problem === 'unreadable')
      const last = this.#readings[index] ?? NO_POLICY
      if (!isLost || last.problems.some(isClosed)) return read
      return { ...last, problems: read.problems.filter((each) => !isClosed(each)) }
    })
    const reading = mergePolicies(this.#readings)
    if (isSameReading(reading, this.#reading)) return
    this.#reading = reading
    this.#ports.onChange()
  }

  #readLater(): void {
    const { clock } = this.#ports
    this.#cancelNext?.()
    this.#cancelNext = clock.at(clock.now() + INTERVAL_MS, () => {
      this.#readLater()
      this.check()
    })
  }

  /** Watches the folders of the file and its target, or the nearest above. If this fails, `check` finds the changes. */
  #watch(): void {
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

  #later(): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = clock.at(clock.now() + SETTLE_MS, () => {
      this.#cancelTimer = undefined
      // The folder may have been created or replaced, so the watch must begin again.
      this.#watch()
      this.check()
    })
  }

  #stopWatching(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }
}

const isClosed = ({ problem }: SettingsProblem): boolean => problem === 'closed'

function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function nearest(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  const above = path.dirname(folder)
  return isThere || above === folder ? folder : nearest(above)
}

function isSameReading(one: PolicyReading, other: PolicyReading): boolean {
  // `isDeepStrictEqual` doesn't compare the content of two Secrets.
  return isDeepStrictEqual([one, secretsOf(one)], [other, secretsOf(other)])
}

function secretsOf({ layer, connections = new Map(), tls }: PolicyReading): readonly (string | undefined)[] {
  const secrets = [layer, ...connections.values()].map(({ clientSecret }) => clientSecret)
  return [...secrets, tls?.clientCertificate?.passphrase].map((secret) => secret?.reveal())
}
