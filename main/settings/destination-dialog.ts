/** What the dialog says that confirms where credentials go. All of its words are ours; of the page's it has the host. */
import type { Texts } from '../../text/index.ts'
import type { AddressChange, DestinationChange } from './destination.ts'

type Words = Texts['shell']['destination']

/** The longest part of a host and of a path that is shown. A registrable domain always fits. */
const MAX_HOST = 100
const MAX_PATH = 60

export interface DestinationDialog {
  readonly message: string
  readonly detail: string
  readonly confirm: string
  readonly cancel: string
}

export function destinationDialog(change: DestinationChange, words: Words): DestinationDialog {
  const { message, confirm } = change.kind === 'addition' ? words.add : words.change
  const detail = change.kind === 'addition' ? additionDetail(change, words) : changeDetail(change.addresses, words)
  return { message, detail, confirm, cancel: words.cancel }
}

function additionDetail({ existing, added }: Extract<DestinationChange, { kind: 'addition' }>, words: Words): string {
  const [from, to] = shownPair(existing, added)
  return [words.add.existing(from ?? words.none), words.add.added(to ?? words.none), '', words.advice].join('\n')
}

function changeDetail(addresses: readonly AddressChange[], words: Words): string {
  const paragraphs = addresses.map(({ field, from: before, to: after }) => {
    const [from, to] = shownPair(before, after)
    return [words.fields[field], words.change.from(from ?? words.none), words.change.to(to ?? words.none)].join('\n')
  })
  const isAdvised = addresses.some(({ to }) => to !== undefined)
  return [...paragraphs, ...(isAdvised ? [words.advice] : [])].join('\n\n')
}

/**
 * Both addresses as they are shown. SECURITY: a path can hold any words, so it is shown only if nothing else differs:
 * then it leads to a host that the user trusts already.
 */
function shownPair(from: string | undefined, to: string | undefined): readonly (string | undefined)[] {
  const [before, after] = [from, to].map((address) => (address === undefined ? undefined : new URL(address)))
  const hasPath = before?.origin === after?.origin
  return [before, after].map((url) => url && shown(url, hasPath))
}

function shown({ protocol, host, pathname }: URL, hasPath: boolean): string {
  // SECURITY: the end of a host says whose it is. URL has turned other scripts into ASCII (punycode).
  const end = host.length > MAX_HOST ? `…${host.slice(-MAX_HOST)}` : host
  const path = !hasPath || pathname === '/' ? '' : pathname
  return `${protocol}//${end}${path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path}`
}
