import type { Outcome } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { createInTurn } from '../base/waits.ts'

interface AddressProbePorts {
  readonly reach: (baseAddress: string) => Promise<Outcome>
  readonly clock: Pick<Clock, 'now' | 'at'>
}

/** The minimum time between two tries. No user corrects an address faster. */
const INTERVAL_MS = 1_000
/** How long an address that didn't answer is remembered, so that the diagnostics can look for the reason. */
const FAILED_MS = 10 * 60_000

/** SECURITY: tries one address at a time, at most one per second, so that a malicious page can't scan the network. */
export class AddressProbe {
  readonly #ports: AddressProbePorts
  readonly #inTurn = createInTurn()
  #notBefore = Number.NEGATIVE_INFINITY
  #failed: { readonly address: string; readonly until: number } | undefined

  constructor(ports: AddressProbePorts) {
    this.#ports = ports
  }

  /** The address that was tried last, if no server has answered there. */
  get failed(): string | undefined {
    const { address, until = 0 } = this.#failed ?? {}
    return this.#ports.clock.now() < until ? address : undefined
  }

  readonly forget = (): void => {
    this.#failed = undefined
  }

  readonly try = (baseAddress: string): Promise<Outcome> => this.#inTurn(() => this.#try(baseAddress))

  async #try(baseAddress: string): Promise<Outcome> {
    const { clock, reach } = this.#ports
    if (clock.now() < this.#notBefore) await new Promise<void>((resolve) => clock.at(this.#notBefore, resolve))
    this.#notBefore = clock.now() + INTERVAL_MS
    const reached = await reach(baseAddress)
    this.#failed = reached.ok ? undefined : { address: baseAddress, until: clock.now() + FAILED_MS }
    return reached
  }
}
