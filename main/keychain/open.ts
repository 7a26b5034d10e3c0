import { randomUUID } from 'node:crypto'
import type { Clock, SecretStore } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { withTimeout } from '../session/with-timeout.ts'
import { type Keytar, KeytarStore } from './keytar-store.ts'
import { LateStore } from './late-store.ts'
import { SecretService, type SecretServiceState } from './secret-service.ts'
import { messageOf } from './storable.ts'

/** What the keychain turned out to be when it was opened. */
export type Probe =
  /** An entry was written, read and deleted. */
  | { readonly kind: 'works' }
  /** It is there and locked; nothing was tried, because that could make an unlock prompt appear. */
  | { readonly kind: 'locked' }
  /** It is there without a default collection; the first write asks the user to make one. */
  | { readonly kind: 'uncreated' }
  /** It is there, and refused the trial or did not answer in time. */
  | { readonly kind: 'failing'; readonly cause: string }
  /** There is none: no session bus, no Secret Service, or no libsecret. */
  | { readonly kind: 'absent'; readonly cause: string }

export interface OpenOptions {
  readonly platform: NodeJS.Platform
  readonly hostname: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Called at once the first time, later only when needed; without libsecret the native module throws. */
  readonly loadKeytar: () => Promise<Keytar>
  /** Whether an entry's owner reads what the keychain holds before it changes anything: see `LateStore`. */
  readonly hasOwner?: (name: string) => boolean
  /** How long a call to the keychain may take: milliseconds. */
  readonly patience?: number
  /** How long each of the two steps of opening may take, asking and trying out: milliseconds. */
  readonly probePatience?: number
  /** Linux only; asks over D-Bus where absent. */
  readonly askSecretService?: () => Promise<SecretServiceState>
}

export interface OpenedKeychain {
  readonly store: SecretStore
  /** Tries it out, the first time it is called. */
  probe(): Promise<Probe>
  /** Whether it answered when it was opened, or isn't there. */
  readonly hasAnswered: boolean
  /** A native call is under way: the process that makes it would wait for it if it ended in the usual way. */
  busy(): boolean
  /** The user asks for the keychain now: the system's unlock prompt may appear once more. */
  allowPrompts(): void
}

const PROBE_PATIENCE = 2_000

const LATE: Probe = { kind: 'failing', cause: 'the keychain did not answer in time' }

type Absent = Extract<Probe, { kind: 'absent' }>
type Found =
  | { readonly store?: undefined; readonly state: Absent }
  | { readonly store: KeytarStore; readonly state: Exclude<SecretServiceState, Absent> }

/**
 * Opens the keychain, or memory where there is none. Never throws and never prompts. With memory, the store
 * moves to the keychain by itself once one can be found.
 */
export async function openSecretStore(options: OpenOptions): Promise<OpenedKeychain> {
  const { clock, probePatience = PROBE_PATIENCE } = options
  const secretService = new SecretService({ clock, patience: probePatience })
  const ask = options.askSecretService ?? (() => secretService.ask())
  let current: KeytarStore | undefined
  let isFirst = true

  const find = async (): Promise<Found> => {
    const asking: Promise<SecretServiceState> =
      options.platform === 'linux' ? ask() : Promise.resolve({ kind: 'unlocked' })
    // The first time both at once, since each takes its time; later there mostly still is nobody to load it for.
    const isLater = isFirst ? undefined : await asking
    if (isLater?.kind === 'absent') return { state: isLater }
    isFirst = false
    const loading = options.loadKeytar().catch((error: unknown) => messageOf(error))
    const state = await asking
    if (state.kind === 'absent') return { state }
    const keytar = await loading
    if (typeof keytar === 'string') return { state: { kind: 'absent', cause: keytar } }
    const store = new KeytarStore({ ...options, keytar, askSecretService: ask, seen: state.kind })
    current = store
    return { store, state }
  }

  const probeOf = async (found: Found): Promise<Probe> => {
    if (found.store === undefined) return found.state
    const { store, state } = found
    if (state.kind === 'unavailable') return { kind: 'failing', cause: state.cause }
    if (state.kind !== 'unlocked') return state
    return withTimeout(clock, probePatience, tryOut(store), LATE)
  }

  const findGood = async (): Promise<SecretStore | undefined> => {
    const found = await find()
    return (await probeOf(found)).kind === 'failing' ? undefined : found.store
  }

  const found = await find()
  let probing: Promise<Probe> | undefined
  return {
    store: found.store ?? new LateStore(findGood, options.hasOwner),
    probe() {
      probing ??= probeOf(found)
      return probing
    },
    hasAnswered: found.state.kind !== 'unavailable',
    busy: () => current?.busy ?? false,
    allowPrompts: () => current?.allowPrompts(),
  }
}

/** Writes, reads and deletes an entry of its own, named at random because two copies of the app may do so at once. */
export async function tryOut(store: SecretStore): Promise<Probe> {
  const name = `probe ${randomUUID()}`
  const value = entryText(name)
  const written = await store.write(name, value)
  const read = await store.read(name)
  const deleted = await store.delete(name)
  for (const outcome of [written, deleted]) {
    if (!outcome.ok) return { kind: 'failing', cause: outcome.failure.details?.cause ?? outcome.failure.code }
  }
  if (read.kind === 'found' && read.value.equals(value)) return { kind: 'works' }
  return { kind: 'failing', cause: read.kind === 'unavailable' ? read.cause : `what was written reads as ${read.kind}` }
}
