import type { CallInput, Handlers } from '../../contract/calls.ts'
import type { Outcome } from '../../contract/failures.ts'
import type { AppView } from '../../contract/views.ts'
import type { Clock } from '../session/ports.ts'
import { normaliseBaseAddress } from '../settings/base-address.ts'
import { createInTurn } from '../settings/connection-settings.ts'
import type { Feature } from './feature.ts'

interface ConnectPorts {
  readonly connections: {
    readonly view: Pick<AppView, 'connection'>
    readonly handlers: Pick<Handlers, 'checkSettings' | 'saveSettings'>
  }
  /** True if the next connection is the first of a new installation. */
  readonly isFirst: () => boolean
  /** Resolves to true if a server answers at this address. */
  readonly reach: (baseAddress: string) => Promise<Outcome>
  readonly clock: Pick<Clock, 'now' | 'at'>
}

const INVALID: Outcome = { ok: false, failure: { code: 'invalidInput' } }

/** The minimum time between two tries. A user needs longer to correct an address. */
const INTERVAL_MS = 1_000

/** Adds the first service. Its address is tried before it is saved, so that a typing error shows up before the sign-in. */
export class Connect implements Feature<'connect'> {
  readonly #ports: ConnectPorts
  /** SECURITY: one try at a time and one per second, so that a malicious page can't scan the network. */
  readonly #inTurn = createInTurn()
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(ports: ConnectPorts) {
    this.#ports = ports
  }

  readonly handlers = { connect: (input: CallInput<'connect'>) => this.#inTurn(() => this.#connect(input)) }

  view(): Record<never, never> {
    return {}
  }

  async #connect({ baseAddress, anyway }: CallInput<'connect'>): Promise<Outcome> {
    const { connections, isFirst } = this.#ports
    if (connections.view.connection !== undefined) return INVALID
    const checked = await connections.handlers.checkSettings({ baseAddress })
    if (!checked.ok) return checked
    const address = normaliseBaseAddress(baseAddress)
    if (!address.ok) return INVALID
    // SECURITY: once a service was set, even if it has been removed, only addresses that the user confirmed are
    // contacted. Saving asks for that.
    const reached = anyway || !isFirst() ? checked : await this.#try(address.value)
    return reached.ok ? connections.handlers.saveSettings({ baseAddress }) : reached
  }

  async #try(address: string): Promise<Outcome> {
    const { clock, reach } = this.#ports
    if (clock.now() < this.#notBefore) await new Promise<void>((resolve) => clock.at(this.#notBefore, resolve))
    this.#notBefore = clock.now() + INTERVAL_MS
    return reach(address)
  }
}
