import type { Remembered } from '../key-value-store.ts'
import type { TrayHost } from './tray-host.ts'

interface NoTrayPorts {
  readonly ask: () => Promise<TrayHost>
  /** Whether the user has been told, ever. */
  readonly told: Remembered<boolean>
  readonly onChange: () => void
}

/** Where a desktop has no tray, the first closing of the window seems to end the app: the user is told once. */
export class NoTray {
  readonly #ports: NoTrayPorts
  #isDue = false
  #isOpen = false
  #isStopped = false

  constructor(ports: NoTrayPorts) {
    this.#ports = ports
  }

  /** Whether the user has to know now that the app still runs, and how to get at it. */
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

  /** It has been said, and never is again. */
  wasTold(): void {
    this.#ports.told.set(true)
  }

  /** The app ends, and its window with it: then there is nothing to get at. */
  stop(): void {
    this.#isStopped = true
  }

  #set(isDue: boolean): void {
    if (this.#isDue === isDue) return
    this.#isDue = isDue
    this.#ports.onChange()
  }
}
