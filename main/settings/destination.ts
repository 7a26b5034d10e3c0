/** Where credentials go, and which change of that the user has to confirm outside the page. */
import { type Layers, pick } from './connection.ts'

/**
 * The values that decide where credentials are sent: passwords and refresh tokens to the service, passwords and the
 * client secret to the provider. `providerDomain` only names the grant type; nothing is sent there.
 */
const FIELDS = ['baseAddress', 'authUrl'] as const

export interface AddressChange {
  readonly field: (typeof FIELDS)[number]
  /** Absent if none was set. */
  readonly from?: string
  /** Absent if none will be set. */
  readonly to?: string
}

/** What the user is asked to confirm. All addresses are normalised: these are the values that are used. */
export type DestinationChange =
  | { readonly kind: 'change'; readonly addresses: readonly AddressChange[] }
  /** `existing` is the address of the first connection, if there is one now. */
  | { readonly kind: 'addition'; readonly existing?: string; readonly added: string }

/** What of a changed connection needs confirming; `undefined` if it sends credentials to the same addresses as before. */
export function destinationChange(before: Layers, after: Layers): DestinationChange | undefined {
  const addresses = FIELDS.flatMap((field): AddressChange[] => {
    const [from, to] = [pick(before, field), pick(after, field)]
    if (from === to) return []
    return [{ field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]
  })
  return addresses.length === 0 ? undefined : { kind: 'change', addresses }
}
