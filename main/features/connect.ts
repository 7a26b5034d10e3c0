import type { CallInput, Handlers } from '../../contract/calls.ts'
import type { Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import { normaliseBaseAddress } from '../settings/base-address.ts'
import type { Feature } from './feature.ts'

interface ConnectPorts {
  readonly connections: {
    readonly view: Pick<AppView, 'connection'>
    readonly handlers: Pick<Handlers, 'checkSettings' | 'saveSettings'>
  }
  /** Whether something answers at this address. */
  readonly reach: (baseAddress: string) => Promise<Outcome>
}

const INVALID: Outcome = { ok: false, failure: { code: 'invalidInput' } }

/** The first service: its address is tried before it is saved, so that a typing error is found before the sign-in. */
export class Connect implements Feature<'connect'> {
  readonly #ports: ConnectPorts

  constructor(ports: ConnectPorts) {
    this.#ports = ports
  }

  readonly handlers = { connect: (input: CallInput<'connect'>) => this.#connect(input) }

  view(): Record<never, never> {
    return {}
  }

  async #connect({ baseAddress, anyway }: CallInput<'connect'>): Promise<Outcome> {
    const { connections, reach } = this.#ports
    // SECURITY: a malicious page can't make Latchkey send requests to addresses of its choice once there is a service.
    if (connections.view.connection !== undefined) return INVALID
    const checked = await connections.handlers.checkSettings({ baseAddress })
    if (!checked.ok) return checked
    const address = normaliseBaseAddress(baseAddress)
    if (!address.ok) return INVALID
    const reached = anyway ? checked : await reach(address.value)
    return reached.ok ? connections.handlers.saveSettings({ baseAddress }) : reached
  }
}
