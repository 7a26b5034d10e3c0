/** Lets a change of where credentials go through only if the user confirms it. */
import { OK, type Outcome } from '../../contract/failures.ts'
import type { Clock } from '../session/ports.ts'
import type { DestinationChange } from './destination.ts'

interface ConfirmationPorts {
  /** Shows the change where the page can neither word nor click anything; true if the user confirmed it. */
  readonly ask: (change: DestinationChange) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
}

/** Nobody has read the dialog sooner: the click was meant for the page. */
const READING_MS = 1_000
/** The time without another dialog after a refusal: doubles with each refusal in a row. */
const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000

export const NOT_CONFIRMED: Outcome = { ok: false, failure: { code: 'notConfirmed' } }

/** SECURITY: the page is not trusted. It can ask for the dialog, but not flood the user with it or hurry them. */
export class Confirmation {
  readonly #ports: ConfirmationPorts
  #isAsking = false
  #refusals = 0
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(ports: ConfirmationPorts) {
    this.#ports = ports
  }

  async confirm(change: DestinationChange): Promise<Outcome> {
    const { ask, clock } = this.#ports
    if (this.#isAsking) return NOT_CONFIRMED
    const asked = clock.now()
    if (asked < this.#notBefore) {
      const retryAfter = Math.ceil((this.#notBefore - asked) / 1_000)
      return { ok: false, failure: { code: 'notConfirmed', retryAfter } }
    }
    this.#isAsking = true
    try {
      if ((await ask(change)) && clock.now() - asked >= READING_MS) {
        this.#refusals = 0
        return OK
      }
      this.#notBefore = clock.now() + Math.min(SHORTEST_PAUSE_MS * 2 ** this.#refusals, LONGEST_PAUSE_MS)
      this.#refusals += 1
      return NOT_CONFIRMED
    } finally {
      this.#isAsking = false
    }
  }
}
