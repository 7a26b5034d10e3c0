import type { Handlers } from '../../contract/calls.ts'
import type { AppView } from '../../contract/views.ts'
import type { Updates } from '../updates/updates.ts'

interface UpdatesPorts {
  readonly version: string
  readonly updates: Pick<Updates, 'view' | 'start' | 'stop' | 'restart'>
}

export class UpdatesFeature {
  readonly #ports: UpdatesPorts

  constructor(ports: UpdatesPorts) {
    this.#ports = ports
  }

  readonly handlers: Pick<Handlers, 'restartToUpdate'> = {
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
