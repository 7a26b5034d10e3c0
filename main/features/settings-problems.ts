import type { AppView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import type { Subscribe } from '../base/listeners.ts'
import { createInTurn } from '../base/waits.ts'
import { type SettingsProblem, settingsNotice } from '../settings/problems.ts'

interface SettingsProblemsPorts {
  readonly settings: () => readonly SettingsProblem[]
  readonly network: () => Promise<readonly SettingsProblem[]>
  readonly onPolicyChange: Subscribe
  readonly losesClientSecret: () => boolean
  readonly isSandboxed: boolean
  readonly texts: Texts
  readonly log: (problems: readonly SettingsProblem[]) => void
  readonly changed: () => void
}

export class SettingsProblems {
  readonly #ports: SettingsProblemsPorts
  readonly #inTurn = createInTurn()
  #ofNetwork: readonly SettingsProblem[] = []
  #undo = (): void => {}

  constructor(ports: SettingsProblemsPorts) {
    this.#ports = ports
  }

  view(): Pick<AppView, 'notices'> {
    return { notices: this.notices(this.#ports.texts) }
  }

  async start(): Promise<void> {
    this.#undo = this.#ports.onPolicyChange(() => void this.#find())
    await this.#find()
  }

  stop(): void {
    this.#undo()
  }

  get problems(): readonly SettingsProblem[] {
    return [...this.#ports.settings(), ...this.#ofNetwork]
  }

  notices(texts: Texts): readonly string[] {
    const { isSandboxed, losesClientSecret } = this.#ports
    return [
      ...(isSandboxed ? [] : [texts.desktop.noSandbox]),
      ...this.problems.map((problem) => settingsNotice(problem, texts)),
      ...(losesClientSecret() ? [texts.desktop.losesClientSecret] : []),
    ]
  }

  /** Checks run one after the other, so that the last result shown is that of the last check. */
  #find(): Promise<void> {
    const { network, log, changed } = this.#ports
    return this.#inTurn(async () => {
      this.#ofNetwork = await network()
      log(this.problems)
      changed()
    })
  }
}
