import path from 'node:path'
import type { Handlers } from '../../contract/calls.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import type { AppView, CheckLine } from '../../contract/views.ts'
import type { CheckRun } from '../diagnostics/run-checks.ts'

interface DiagnosticsPorts {
  /** Runs the checks. The results are in the user's language. `onBegin` gets the number of checks. */
  readonly check: (onBegin: (total: number) => void) => Promise<CheckRun>
  readonly forgetTried: () => void
  /** Asks the user for a file and writes the diagnostics there. `onSaved` gets its path. */
  readonly save: (onSaved: (file: string) => void) => Promise<Outcome>
  readonly showInFolder: (file: string) => void
  readonly changed: () => void
}

export class Diagnostics {
  readonly #ports: DiagnosticsPorts
  #shown: AppView['check']
  #running: Promise<void> | undefined
  #savedAs: string | undefined

  constructor(ports: DiagnosticsPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    checkComputer: async ({ tried }) => {
      if (!tried) this.#ports.forgetTried()
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined
      })
      await this.#running
      return OK
    },
    saveDiagnostics: () =>
      this.#ports.save((file) => {
        this.#savedAs = file
        this.#ports.changed()
      }),
    showDiagnostics: async () => {
      if (this.#savedAs !== undefined) this.#ports.showInFolder(this.#savedAs)
      return OK
    },
  } satisfies Partial<Handlers>

  view(): Pick<AppView, 'check' | 'savedDiagnostics'> {
    return {
      ...(this.#shown === undefined ? {} : { check: this.#shown }),
      ...(this.#savedAs === undefined ? {} : { savedDiagnostics: folderOf(this.#savedAs) }),
    }
  }

  /** Call this when the window is closed. The results are dropped, unless the checks are still running. */
  clear(): void {
    this.#savedAs = undefined
    if (this.#running === undefined) this.#shown = undefined
    this.#ports.changed()
  }

  async #run(): Promise<void> {
    const shown: CheckLine[] = []
    let total = 0
    const show = (running: boolean) => {
      this.#shown = { running, total, lines: [...shown] }
      this.#ports.changed()
    }
    show(true)
    try {
      const { lines, texts } = await this.#ports.check((count) => {
        total = count
      })
      for await (const line of lines) {
        const { check, isUnreached: _, ...said } = line
        shown.push({ name: texts.checks[check], ...said })
        show(true)
      }
    } finally {
      show(false)
    }
  }
}

/** The name of the file's folder. The root folder has no name, so its path is returned. */
function folderOf(file: string): string {
  const folder = path.dirname(file)
  return path.basename(folder) || folder
}
