import type { Remembered } from '../base/key-value-store.ts'
import type { TrayHost } from './tray-host.ts'

interface NoTrayPorts {
  readonly ask: () => Promise<TrayHost>
  readonly told: Remembered<boolean>
  readonly onChange: () => void
}

/** Without a tray, closing the window seems to end the app, so the user is told once that it still runs. */
export class NoTray {
  readonly #ports: NoTrayPorts
  #isDue = false
  #isOpen = false
  readonly #quitting = new AbortController()

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
    if (told.get() === true || (await ask()) !== 'absent' || this.#isOpen || this.#quitting.signal.aborted) return
    this.#set(true)
  }

  markShown(): void {
    this.#ports.told.set(true)
  }

  /** Call this when the app quits. The window then closes, too, but the user isn't told that the app still runs. */
  stop(): void {
    this.#quitting.abort()
  }

  #set(isDue: boolean): void {
    if (this.#isDue === isDue) return
    this.#isDue = isDue
    this.#ports.onChange()
  }
}
