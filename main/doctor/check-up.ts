import type { Outcome } from '../../contract/failures.ts'
import type { AppView, CheckLine } from '../../contract/views.ts'
import type { DoctorTexts } from '../../text/en-doctor.ts'
import type { Line } from './line.ts'

/** One examination, as it begins. */
export interface Examination {
  readonly lines: AsyncIterable<Line>
  readonly texts: DoctorTexts
}

interface CheckUpPorts {
  readonly examine: () => Promise<Examination>
  readonly onChange: () => void
}

/** The examination that the window shows: each line as it comes, until the window is closed. */
export class CheckUp {
  readonly #ports: CheckUpPorts
  #view: AppView['checkUp']
  #running: Promise<readonly Line[]> | undefined

  constructor(ports: CheckUpPorts) {
    this.#ports = ports
  }

  get view(): AppView['checkUp'] {
    return this.#view
  }

  /** Examines anew; one at a time, whoever asks. */
  run(): Promise<readonly Line[]> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** The same, as the contract has it. */
  async check(): Promise<Outcome> {
    await this.run()
    return { ok: true, value: undefined }
  }

  /** What was found is old news for the next window. */
  forget(): void {
    if (this.#running === undefined) this.#view = undefined
  }

  async #run(): Promise<readonly Line[]> {
    const found: Line[] = []
    const shown: CheckLine[] = []
    const show = (running: boolean) => {
      this.#view = { running, lines: [...shown] }
      this.#ports.onChange()
    }
    show(true)
    try {
      const { lines, texts } = await this.#ports.examine()
      for await (const line of lines) {
        const { check, ...said } = line
        found.push(line)
        shown.push({ name: texts.checks[check], ...said })
        show(true)
      }
    } finally {
      show(false)
    }
    return found
  }
}
