import type { AppView } from '../../contract/views.ts'
import type { Updates } from '../updates/updates.ts'
import type { Feature } from './feature.ts'

interface UpdatesPorts {
  /** The running version. */
  readonly version: string
  readonly updates: Pick<Updates, 'view' | 'start' | 'stop' | 'restart'>
}

/** The running version, and the one that a restart installs. */
export class UpdatesFeature implements Feature<'restartToUpdate', 'version' | 'update'> {
  readonly #ports: UpdatesPorts

  constructor(ports: UpdatesPorts) {
    this.#ports = ports
  }

  readonly handlers = {
    restartToUpdate: () => this.#ports.updates.restart(),
  }

  view(): Pick<AppView, 'version' | 'update'> {
    const { version, updates } = this.#ports
    const { view: update } = updates
    return { version, ...(update === undefined ? {} : { update }) }
  }

  start(): void {
    this.#ports.updates.start()
  }

  stop(): void {
    this.#ports.updates.stop()
  }
}
