import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/with-timeout.ts'
import type { Report } from '../log/report.ts'

/**
 * A unit that starts and stops: a feature, or a surface, such as the window or the tray. It must be harmless to stop a
 * part whose start failed.
 */
export interface Part {
  start?(): void | Promise<void>
  stop?(): void | Promise<void>
}

/** A part that subscribes to events while it runs. `subscribe` returns the function that unsubscribes. */
export function listening(subscribe: () => () => void) {
  let undo = (): void => {}
  return {
    start: () => {
      undo = subscribe()
    },
    stop: () => undo(),
  } satisfies Part
}

export interface Phase {
  readonly name: string
  /** A promise that the phase waits for. If absent, the phase starts right after the previous one. */
  readonly waitsFor?: () => Promise<unknown>
  /** The parts by name, in the order in which they start. */
  readonly parts: Readonly<Record<string, Part>>
}

interface PhasesPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly report: Report
  /** The time limit for stopping everything. */
  readonly stopTimeoutMs: number
}

/** Starts parts phase by phase, and stops the started ones in reverse order. */
export class Phases {
  readonly #phases: readonly Phase[]
  readonly #ports: PhasesPorts
  readonly #started: Phase[] = []
  #stopping: Promise<void> | undefined

  constructor(phases: readonly Phase[], ports: PhasesPorts) {
    this.#phases = phases
    this.#ports = ports
  }

  /** Resolves when the last phase has been started. A part that fails is reported; the others run. */
  async start(): Promise<void> {
    for (const phase of this.#phases) {
      const { name, waitsFor } = phase
      if (waitsFor !== undefined) await this.#run(name, waitsFor)
      if (this.#stopping !== undefined) return
      this.#started.push(phase)
      for (const [part, each] of Object.entries(phase.parts)) void this.#run(part, () => each.start?.())
    }
  }

  /**
   * Resolves when everything has stopped, or at the deadline, after which nothing is waited for. The parts of a phase
   * stop together, before those of the phase before.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const { clock, stopTimeoutMs } = this.#ports
    const deadline = clock.now() + stopTimeoutMs
    for (const { parts } of this.#started.toReversed()) {
      const stopped = Object.entries(parts)
        .toReversed()
        .map(([name, part]) => this.#run(name, () => part.stop?.()))
      await withTimeout(clock, Math.max(0, deadline - clock.now()), Promise.all(stopped), undefined)
    }
  }

  async #run(name: string, work: () => unknown): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#ports.report(name, error)
    }
  }
}
