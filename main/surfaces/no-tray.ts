import type { Remembered } from '../base/key-value-store.ts'
import type { TrayHost } from './tray-host.ts'

interface NoTrayPorts {
  readonly ask: () => Promise<TrayHost>
  /** True if the user has been told, in this or an earlier run, that the app still runs. */
  readonly told: Remembered<boolean>
  readonly onChange: () => void
}

/** Without a tray, closing the window seems to end the app, so the user is told once that it still runs. */
export class NoTray {
  readonly #ports: NoTrayPorts
  #isDue = false
  #isOpen = false
  #isStopped = false

  constructor(ports: NoTrayPorts) {
    this.#ports = ports
  }

  get isDue(): boolean {
    return this.#isDue
  }

  windowOpened(): void {
    this.#isOpen = true
    this.#set(false)
  }

  async windowClosed(): Promise<void> {
    const { ask, told } = this.#ports
    this.#isOpen = false
    if (told.get() === true || (await ask()) !== 'absent' || this.#isOpen || this.#isStopped) return
    this.#set(true)
  }

  markShown(): void {
    this.#ports.told.set(true)
  }

  /** Call this when the app quits: the window then closes, too, but the app doesn't go on. */
  stop(): void {
    this.#isStopped = true
  }

  #set(isDue: boolean): void {
    if (this.#isDue === isDue) return
    this.#isDue = isDue
    this.#ports.onChange()
  }
}
