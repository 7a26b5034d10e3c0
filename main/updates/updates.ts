import type { Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import type { UpdatePlan } from './plan.ts'

export interface Updater {
  /** Downloads a newer version and resolves to it, if there is one. Rejects if the feed can't be reached or trusted. */
  fetch(feed: string): Promise<string | undefined>
  /** True if the last download still exists. A later download that has failed may have deleted it. */
  holds(): boolean
  /** Prepares the installation, which may take minutes. Rejects if the download can't be trusted. */
  prepare(): Promise<void>
  /** Quits the app, installs the download, and starts the new version. If that fails, starts the old version. */
  install(): void
}

interface UpdatesPorts {
  readonly version: string
  readonly plan: () => UpdatePlan
  /** Loads the updater. Called only when it is needed, because there is no update feed by default. */
  readonly load: () => Promise<Updater>
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly isBusy: () => boolean
  readonly onChange: () => void
  /** Called for each version that is ready, and for each check, download or preparation that failed. */
  readonly note: (event: { readonly ready: string } | { readonly error: unknown }) => void
}

/** The delay before the first check, so that the session is restored before it. */
const FIRST_CHECK_MS = 60_000
const DAY_MS = 24 * 60 * 60_000
const RESTART_TIMEOUT_MS = 30_000
const BUSY_RETRY_MS = 60_000

const BUSY = fail({ code: 'invalidInput', details: { operation: 'update', cause: 'busy' } })
const OVER = Promise.resolve(true)
const NOTHING = fail({ code: 'invalidInput', details: { operation: 'update' } })

export class Updates {
  readonly #ports: UpdatesPorts
  #ready: string | undefined
  #cancelTimer: (() => void) | undefined
  #updater: Updater | undefined
  #working: Promise<boolean> | undefined
  #isRestarting = false

  constructor(ports: UpdatesPorts) {
    this.#ports = ports
  }

  readonly handlers = { restartToUpdate: () => this.#restart() } satisfies Partial<Handlers>

  view(): Pick<AppView, 'version' | 'update'> {
    const { version, plan } = this.#ports
    return this.#ready === undefined || plan().kind === 'off'
      ? { version }
      : { version, update: { version: this.#ready } }
  }

  start(): void {
    this.#checkAfter(FIRST_CHECK_MS)
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** Fails during a sign-in. Waits for the download of a newer version; if that takes too long, installs nothing. */
  async #restart(): Promise<Outcome> {
    if (this.view().update === undefined) return NOTHING
    if (this.#isRestarting || this.#ports.isBusy()) return BUSY
    this.#isRestarting = true
    try {
      if ((await withTimeout(this.#ports.clock, RESTART_TIMEOUT_MS, this.#working ?? OVER, 'late')) === 'late')
        return BUSY
      return await this.#install()
    } finally {
      this.#isRestarting = false
    }
  }

  async #install(): Promise<Outcome> {
    const { isBusy } = this.#ports
    const updater = this.#updater
    if (this.view().update === undefined || updater === undefined) return NOTHING
    if (!(await this.#attempt(() => updater.prepare()))) return NOTHING
    // A sign-in may have begun while the update was prepared.
    if (isBusy()) return BUSY
    updater.install()
    return OK
  }

  #checkAfter(delayMs: number): void {
    const { clock } = this.#ports
    this.#cancelTimer?.()
    this.#cancelTimer = clock.at(clock.now() + delayMs, () => void this.#fetch())
  }

  async #fetch(): Promise<void> {
    const { plan, load, isBusy } = this.#ports
    const planned = plan()
    if (planned.kind === 'on' && isBusy()) return this.#checkAfter(BUSY_RETRY_MS)
    this.#checkAfter(DAY_MS)
    if (planned.kind === 'off' || this.#working !== undefined) return
    await this.#attempt(async () => {
      this.#updater ??= await load()
      this.#offer(await this.#updater.fetch(planned.feed))
    })
  }

  /** Resolves to true if `work` succeeds. If `work` fails, the update stays on offer only if its file still exists. */
  #attempt(work: () => Promise<void>): Promise<boolean> {
    const isDone = work().then(
      () => true,
      (error: unknown) => {
        this.#ports.note({ error })
        if (this.#updater?.holds() !== true) this.#withdraw()
        return false
      },
    )
    this.#working = isDone.finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  /** Stops offering the update. The next download uses a new updater, because this one may be stuck. */
  #withdraw(): void {
    this.#updater = undefined
    this.#offer(undefined)
  }

  #offer(version: string | undefined): void {
    if (version === this.#ready) return
    this.#ready = version
    if (version !== undefined) this.#ports.note({ ready: version })
    this.#ports.onChange()
  }
}
