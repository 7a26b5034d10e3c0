import { isDeepStrictEqual } from 'node:util'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { DESTINATION_FIELDS, type DestinationField } from '../../contract/settings.ts'
import type { Texts } from '../../text/index.ts'
import type { Clock } from '../base/clock.ts'
import { effective, type Layers } from './layers.ts'

/**
 * The service gets passwords and refresh tokens, the provider gets passwords and the client secret, and the data
 * service gets access tokens. `providerDomain` only names the grant type.
 */
export interface AddressChange {
  readonly field: DestinationField
  readonly from?: string
  readonly to?: string
}

/** What the user must confirm. The addresses are normalised, as Latchkey will use them. */
export type DestinationChange =
  | { readonly kind: 'change'; readonly addresses: readonly AddressChange[] }
  /** `existing` is the address of the first connection in the list. */
  | { readonly kind: 'addition'; readonly existing?: string; readonly added: string }

export function destinationChange(
  before: Layers,
  after: Layers,
): Extract<DestinationChange, { kind: 'change' }> | undefined {
  const addresses = DESTINATION_FIELDS.flatMap((field): AddressChange[] => {
    const [from, to] = [effective(before, field), effective(after, field)]
    if (from === to) return []
    return [{ field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]
  })
  return addresses.length === 0 ? undefined : { kind: 'change', addresses }
}

interface ConfirmationPorts {
  /** Asks the user in a dialog that the page can't control. Resolves to true if the user has confirmed. */
  readonly ask: (change: DestinationChange) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
}

/** A click that comes this soon after the dialog opens confirms nothing, because nobody can have read the dialog. */
const READING_MS = 1_000
/** After a refusal, no dialog is shown for this long. Each further refusal in a row doubles the time. */
const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** How long a confirmed address can still be saved although it didn't answer. */
const ANYWAY_MS = 5 * 60_000

export const NOT_CONFIRMED = fail({ code: 'notConfirmed' })

/** SECURITY: the page can neither flood the user with dialogs nor make use of a hasty click. */
export class Confirmation {
  readonly #ports: ConfirmationPorts
  #isAsking = false
  #refusals = 0
  #notBefore = Number.NEGATIVE_INFINITY
  #unreached: { readonly change: DestinationChange; readonly until: number } | undefined

  constructor(ports: ConfirmationPorts) {
    this.#ports = ports
  }

  /** If the confirmed address doesn't answer, the same change can be saved once without a dialog, for five minutes. */
  async confirm(change: DestinationChange, probe?: () => Promise<Outcome>): Promise<Outcome> {
    const { clock } = this.#ports
    const unreached = this.#unreached
    this.#unreached = undefined
    const isKnown =
      probe === undefined &&
      unreached !== undefined &&
      clock.now() < unreached.until &&
      isDeepStrictEqual(unreached.change, change)
    const confirmed = isKnown ? OK : await this.#ask(change)
    if (!confirmed.ok || probe === undefined) return confirmed
    const reached = await probe()
    if (!reached.ok) this.#unreached = { change, until: clock.now() + ANYWAY_MS }
    return reached
  }

  async #ask(change: DestinationChange): Promise<Outcome> {
    const { ask, clock } = this.#ports
    if (this.#isAsking) return NOT_CONFIRMED
    const asked = clock.now()
    if (asked < this.#notBefore) {
      const retryAfter = Math.ceil((this.#notBefore - asked) / 1_000)
      return fail({ code: 'notConfirmed', retryAfter })
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

type Words = Texts['desktop']['destination']

/** How many characters of a host and of a path are shown. A registrable domain always fits. */
const MAX_HOST = 100
const MAX_PATH = 60

export function destinationDialog(change: DestinationChange, words: Words) {
  const { message, confirm } = change.kind === 'addition' ? words.add : changeWords(change.addresses, words)
  const detail = change.kind === 'addition' ? additionDetail(change, words) : changeDetail(change.addresses, words)
  return { message, detail, confirm, cancel: words.cancel }
}

/** Passwords never go to the data service, so the dialog asks a different question if only its address changes. */
const changeWords = (addresses: readonly AddressChange[], { change, data }: Words) =>
  addresses.every(({ field }) => field === 'dataAddress') ? data : change

function additionDetail({ existing, added }: Extract<DestinationChange, { kind: 'addition' }>, words: Words): string {
  const [from, to] = shownPair(existing, added)
  return [words.add.existing(from ?? words.none), words.add.added(to ?? words.none), '', words.advice].join('\n')
}

function changeDetail(addresses: readonly AddressChange[], words: Words): string {
  const paragraphs = addresses.map(({ field, from: before, to: after }) => {
    const [from, to] = shownPair(before, after)
    return [words.fields[field], words.change.from(from ?? words.none), words.change.to(to ?? words.none)].join('\n')
  })
  const advice = addresses.flatMap(({ field, to }) =>
    to === undefined ? [] : field === 'dataAddress' ? words.data.advice : words.advice,
  )
  return [...paragraphs, ...new Set(advice)].join('\n\n')
}

/** SECURITY: a path can contain misleading text, so it is shown only if both addresses have the same, trusted host. */
function shownPair(from: string | undefined, to: string | undefined): readonly (string | undefined)[] {
  const [before, after] = [from, to].map((address) => (address === undefined ? undefined : new URL(address)))
  const hasPath = before?.origin === after?.origin
  return [before, after].map((url) => url && shown(url, hasPath))
}

function shown({ protocol, host, pathname }: URL, hasPath: boolean): string {
  // SECURITY: a long host is cut at its start: its end shows the owner, which punycode protects from imitation.
  const end = host.length > MAX_HOST ? `…${host.slice(-MAX_HOST)}` : host
  const path = !hasPath || pathname === '/' ? '' : pathname
  return `${protocol}//${end}${path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path}`
}
