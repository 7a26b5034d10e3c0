import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import type { Report } from '../log/log.ts'

/** Something that starts and stops, such as the tray. Stopping must be harmless even after a failed start. */
export interface Part {
  start?(): void | Promise<void>
  stop?(): void | Promise<void>
}

export function whileRunning(subscribe: () => () => void) {
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
  /** The phase starts when this promise settles. Without it, the phase starts right after the previous one. */
  readonly waitsFor?: () => Promise<unknown>
  readonly parts: Readonly<Record<string, Part>>
}

interface PhasesPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly report: Report
  readonly stopTimeoutMs: number
}

export class Phases {
  readonly #phases: readonly Phase[]
  readonly #ports: PhasesPorts
  readonly #started: Phase[] = []
  #stopping: Promise<void> | undefined

  constructor(phases: readonly Phase[], ports: PhasesPorts) {
    this.#phases = phases
    this.#ports = ports
  }

  /** Resolves when the last phase has been started. A part that fails is reported, and the others run. */
  async start(): Promise<void> {
    for (const phase of this.#phases) {
      const { name, waitsFor } = phase
      if (waitsFor !== undefined) await this.#run(name, waitsFor)
      if (this.#stopping !== undefined) return
      this.#started.push(phase)
      for (const [part, each] of Object.entries(phase.parts)) void this.#run(part, () => each.start?.())
    }
  }

  /** Stops the phases in reverse order, and each phase's parts together. After the timeout, waits for nothing more. */
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
