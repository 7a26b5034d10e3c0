import type { CallInput, Handlers } from '../../contract/calls.ts'
import { fail, type Outcome } from '../../contract/failures.ts'
import { createInTurn } from '../base/waits.ts'
import { normaliseBaseAddress } from '../settings/values.ts'

interface ConnectPorts {
  readonly hasService: () => boolean
  readonly settings: Pick<Handlers, 'checkSettings' | 'saveSettings'>
  readonly isFirst: () => boolean
  readonly reach: (baseAddress: string) => Promise<Outcome>
}

const INVALID = fail({ code: 'invalidInput' })

/** Adds the first service. Latchkey tries the address before it is saved, so that a typing mistake shows up early. */
export class Connect {
  readonly #ports: ConnectPorts
  /** Runs one call at a time, so that a second call finds the service that the first one has saved. */
  readonly #inTurn = createInTurn()

  constructor(ports: ConnectPorts) {
    this.#ports = ports
  }

  readonly handlers = { connect: (input) => this.#inTurn(() => this.#connect(input)) } satisfies Partial<Handlers>

  async #connect({ baseAddress, anyway }: CallInput<'connect'>): Promise<Outcome> {
    const { hasService, settings, isFirst, reach } = this.#ports
    if (hasService()) return INVALID
    const checked = await settings.checkSettings({ baseAddress })
    if (!checked.ok) return checked
    const address = normaliseBaseAddress(baseAddress)
    if (!address.ok) return INVALID
    // SECURITY: after the first service, only addresses that the user has confirmed in `saveSettings` are contacted.
    const reached = anyway || !isFirst() ? checked : await reach(address.value)
    return reached.ok ? settings.saveSettings({ baseAddress }) : reached
  }
}
