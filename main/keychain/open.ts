import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import type { Clock } from '../base/clock.ts'
import { entryText } from '../base/secret.ts'
import { withTimeout } from '../base/waits.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { FallbackStore } from './fallback-store.ts'
import { hasOwnProcess, KeytarProcess, type KeytarProcessOptions } from './keytar-process.ts'
import { type Keytar, KeytarStore, messageOf, type SecretServiceState } from './keytar-store.ts'
import { SecretService } from './secret-service.ts'
import { watchSecretService } from './watch-service.ts'

export interface SystemKeychain {
  /** @param isSessionEntry whether the entry with this name belongs to a session (see `FallbackStore`) */
  open(isSessionEntry: (name: string) => boolean): Promise<OpenedKeychain>
  /** Calls `lost` when entries may be missing. Returns a function that stops watching. */
  watch(lost: () => void): () => void
  stop(): void
  /** True if keytar runs in this process, which then can't end during a call. */
  readonly isInProcess: boolean
}

interface SystemKeychainPorts extends Pick<KeytarProcessOptions, 'fork' | 'clock'> {
  readonly platform: NodeJS.Platform
  readonly first?: KeytarProcessOptions['first']
}

/** Rejects if libsecret is missing. Uses `require`, because an `import` takes longer than loading keytar itself. */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')

export function createSystemKeychain({ platform, clock, fork, first }: SystemKeychainPorts): SystemKeychain {
  const keytarProcess = hasOwnProcess(platform) ? new KeytarProcess({ fork, first, clock }) : undefined
  return {
    open: (isSessionEntry) =>
      openSecretStore({
        platform,
        hostname: hostname(),
        clock,
        loadKeytar: () => keytarProcess?.load() ?? loadKeytar(),
        isSessionEntry,
      }),
    watch: (lost) => (platform === 'linux' ? watchSecretService({ clock }, lost) : () => {}),
    stop: () => keytarProcess?.stop(),
    isInProcess: keytarProcess === undefined,
  }
}

/** The result of the keychain check that the user asked for. */
export type KeychainProbe =
  | { readonly kind: 'works' }
  /** The collection is locked. No entry was tried, because that could show an unlock prompt. */
  | { readonly kind: 'locked' }
  /** There is no default collection. The first write asks the user to create one. */
  | { readonly kind: 'uncreated' }
  | { readonly kind: 'failing'; readonly cause: string }
  /** There is no session bus, no Secret Service, or no libsecret. */
  | { readonly kind: 'absent'; readonly cause: string }

export interface KeychainOptions {
  readonly platform: NodeJS.Platform
  readonly hostname: string
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly loadKeytar: () => Promise<Keytar>
  /** Whether the entry with this name belongs to a session (see `FallbackStore`). */
  readonly isSessionEntry?: (name: string) => boolean
  /** On Linux, asks for the Secret Service's state; by default over D-Bus. */
  readonly askSecretService?: (account?: string) => Promise<SecretServiceState>
}

export interface OpenedKeychain {
  readonly store: SecretStore
  /** The Secret Service's state at the start; `unlocked` on systems other than Linux. */
  readonly state: SecretServiceState
  /** Writes a trial entry. Only for a user who asks, because KeePassXC keeps each one in its recycle bin. */
  probe(): Promise<KeychainProbe>
  /** True during a native call, for which a normal exit would wait. */
  busy(): boolean
  /** Lets the system show its unlock prompt again. Call this when the user does something. */
  allowPrompts(): void
}

export class Keychain {
  readonly #open: () => Promise<OpenedKeychain>
  #opening: Promise<OpenedKeychain> | undefined
  #opened: OpenedKeychain | undefined
  /** The keychains of the last probe and of those whose call still hangs. */
  #probed: readonly OpenedKeychain[] = []

  constructor(open: () => Promise<OpenedKeychain>) {
    this.#open = open
  }

  async opened(): Promise<OpenedKeychain> {
    this.#opening ??= this.#open()
    this.#opened = await this.#opening
    return this.#opened
  }

  /** The keychain's store. `check` may replace the result of a read. */
  store(check = async (result: ReadResult) => result): SecretStore {
    const persistence = () => this.#opened?.store.persistence ?? 'memory'
    const opened = async () => (await this.opened()).store
    return {
      get persistence() {
        return persistence()
      },
      read: async (name) => check(await (await opened()).read(name)),
      write: async (name, value) => (await opened()).write(name, value),
      delete: async (name) => (await opened()).delete(name),
    }
  }

  /** Opens the keychain once more, and tries it with a trial entry. */
  async probe(): Promise<KeychainProbe> {
    const opened = await this.#open()
    this.#probed = [...this.#probed.filter((each) => each.busy()), opened]
    return opened.probe()
  }

  allowPrompts(): void {
    this.#opened?.allowPrompts()
  }

  get isBusy(): boolean {
    return [this.#opened, ...this.#probed].some((each) => each?.busy() === true)
  }
}

const PROBE_TIMEOUT_MS = 2_000

const LATE: KeychainProbe = { kind: 'failing', cause: 'the keychain did not answer in time' }

type Absent = Extract<KeychainProbe, { kind: 'absent' }>
type Found =
  | { readonly store?: undefined; readonly state: Absent }
  | { readonly store: KeytarStore; readonly state: Exclude<SecretServiceState, Absent> }

/** Opens the keychain or, until there is one, a store in memory. Never rejects or prompts. */
export async function openSecretStore(options: KeychainOptions): Promise<OpenedKeychain> {
  const { clock } = options
  const secretService = new SecretService({ clock })
  const ask = options.askSecretService ?? ((account?: string) => secretService.ask(account))
  let current: KeytarStore | undefined
  let isFirst = true

  const find = async (): Promise<Found> => {
    const asking: Promise<SecretServiceState> =
      options.platform === 'linux' ? ask() : Promise.resolve({ kind: 'unlocked' })
    // Both the query and loading keytar are slow, so the first attempt does them at the same time. Later attempts load
    // keytar only if there is a Secret Service.
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

  const probeOf = async (found: Found): Promise<KeychainProbe> => {
    if (found.store === undefined) return found.state
    const { store, state } = found
    if (state.kind === 'unavailable') return { kind: 'failing', cause: state.cause }
    if (state.kind === 'locked' || state.kind === 'uncreated') return state
    return withTimeout(clock, PROBE_TIMEOUT_MS, probeStore(store), LATE)
  }

  const findGood = async (): Promise<SecretStore | undefined> => {
    const found = await find()
    return (await probeOf(found)).kind === 'failing' ? undefined : found.store
  }

  const found = await find()
  return {
    store: found.store ?? new FallbackStore(findGood, options.isSessionEntry),
    probe: () => probeOf(found),
    state: found.state,
    busy: () => current?.busy ?? false,
    allowPrompts: () => current?.allowPrompts(),
  }
}

/** Writes and deletes a trial entry. Its name is random, because two copies of the app may do this at once. */
export async function probeStore(store: SecretStore): Promise<KeychainProbe> {
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
