import { OK, type Outcome } from '../../../contract/failures.ts'
import type { Clock } from '../../../main/base/clock.ts'
import { type EntryText, entryText } from '../../../main/base/secret.ts'
import type { Marker, ReadResult, SecretStore, StoredMarker } from '../../../main/session/ports.ts'

export type KeychainMode =
  | 'ok'
  | 'fails'
  | 'locked'
  /** The keychain is locked, but reports every entry as missing. */
  | 'seemsMissing'
  /** Calls hang until the mode changes; callers time out after 5 s. */
  | 'hangs'

type Kind = 'read' | 'write' | 'delete'

interface Call {
  readonly kind: Kind
  readonly name: string
  hasBegun: boolean
  readonly run: () => void
  readonly fail: (cause: string) => void
  readonly applyUnheard: () => void
}

type Observer = (name: string, before: string | undefined, after: string | undefined, by: OpenStore) => void

const TIMEOUT_MS = 5_000
const unavailable = (cause: string): Outcome => ({
  ok: false,
  failure: { code: 'keychainUnavailable', details: { cause } },
})

export class ModelStore {
  readonly entries = new Map<string, string>()
  persistence: SecretStore['persistence'] = 'keychain'
  /** Every change, as `write name` or `delete name`. */
  readonly log: string[] = []
  /** Called before each change. The new value is absent if the entry is deleted. */
  onChange: Observer = () => {}
  readonly #observers: Observer[] = []
  refuses: (kind: Kind, name: string) => boolean = () => false
  readonly #opened = new Set<OpenStore>()
  #mode: KeychainMode = 'ok'

  observe(observer: Observer): void {
    this.#observers.push(observer)
  }

  changes(...change: Parameters<Observer>): void {
    for (const observer of [this.onChange, ...this.#observers]) observer(...change)
  }

  get mode(): KeychainMode {
    return this.#mode
  }

  set mode(mode: KeychainMode) {
    this.#mode = mode
    for (const each of this.#opened) each.work()
  }

  get isBusy(): boolean {
    return [...this.#opened].some((each) => each.isBusy)
  }

  open(clock: Clock): OpenStore {
    const opened = new OpenStore(this, clock)
    this.#opened.add(opened)
    return opened
  }

  close(opened: OpenStore): void {
    this.#opened.delete(opened)
  }
}

/** The keychain as one program sees it: one call at a time, as in the real one. */
export class OpenStore implements SecretStore {
  readonly #keychain: ModelStore
  readonly #clock: Clock
  #calls: Call[] = []

  constructor(keychain: ModelStore, clock: Clock) {
    this.#keychain = keychain
    this.#clock = clock
  }

  get persistence(): SecretStore['persistence'] {
    return this.#keychain.persistence
  }

  get isBusy(): boolean {
    return this.#calls.length > 0
  }

  read(name: string): Promise<ReadResult> {
    return this.#call('read', name, undefined, (cause): ReadResult => ({ kind: 'unavailable', cause }))
  }

  write(name: string, value: EntryText): Promise<Outcome> {
    return this.#call('write', name, value, unavailable)
  }

  delete(name: string): Promise<Outcome> {
    return this.#call('delete', name, undefined, unavailable)
  }

  /** The program is killed. With `appliesBegun`, a change that has begun still takes effect. */
  kill(appliesBegun: boolean): void {
    const [first] = this.#calls
    this.#calls = []
    this.#keychain.close(this)
    if (appliesBegun && first?.hasBegun) first.applyUnheard()
  }

  work(): void {
    for (let call = this.#calls[0]; call !== undefined; call = this.#calls[0]) {
      call.hasBegun = true
      if (this.#keychain.mode === 'hangs') return
      this.#calls.shift()
      call.run()
    }
  }

  #call<T>(kind: Kind, name: string, value: EntryText | undefined, failed: (cause: string) => T): Promise<T> {
    return new Promise<T>((resolve) => {
      const cancelDeadline = this.#clock.at(this.#clock.now() + TIMEOUT_MS, () => {
        resolve(failed('late'))
        if (kind === 'read') this.#calls = this.#calls.filter((each) => each !== call)
      })
      const end = (result: T) => {
        cancelDeadline()
        resolve(result)
      }
      const call: Call = {
        kind,
        name,
        hasBegun: false,
        run: () => end(this.#run(kind, name, value) as T),
        fail: (cause) => end(failed(cause)),
        applyUnheard: () => void this.#change(kind, name, value),
      }
      if (kind !== 'read') {
        const overtaken = this.#calls.filter((each) => each.kind !== 'read' && each.name === name && !each.hasBegun)
        this.#calls = this.#calls.filter((each) => !overtaken.includes(each))
        for (const each of overtaken) each.fail('overtaken')
      }
      this.#calls.push(call)
      this.work()
    })
  }

  #run(kind: Kind, name: string, value: EntryText | undefined): ReadResult | Outcome {
    const { mode, refuses } = this.#keychain
    if (mode === 'ok' && refuses(kind, name)) {
      return kind === 'read' ? { kind: 'unavailable', cause: 'refused' } : unavailable('refused')
    }
    if (mode === 'ok') return kind === 'read' ? this.#read(name) : this.#change(kind, name, value)
    if (kind !== 'read') return unavailable(mode)
    if (mode === 'seemsMissing') return { kind: 'missing' }
    return mode === 'locked' ? { kind: 'locked' } : { kind: 'unavailable', cause: mode }
  }

  #read(name: string): ReadResult {
    const value = this.#keychain.entries.get(name)
    return value === undefined ? { kind: 'missing' } : { kind: 'found', value: entryText(value) }
  }

  #change(kind: Kind, name: string, value: EntryText | undefined): Outcome {
    const { entries, log } = this.#keychain
    if (kind === 'read') return OK
    log.push(`${kind} ${name}`)
    this.#keychain.changes(name, entries.get(name), value?.reveal(), this)
    if (value === undefined) entries.delete(name)
    else entries.set(name, value.reveal())
    return OK
  }
}

export class ModelMarker implements StoredMarker {
  readonly marks = new Map<string, Marker>()
  isFull = false

  get(name: string): Marker | undefined {
    return this.marks.get(name)
  }

  set(name: string, marker: Marker): boolean {
    if (!this.isFull) this.marks.set(name, marker)
    return !this.isFull
  }

  clear(name: string): boolean {
    if (!this.isFull) this.marks.delete(name)
    return !this.isFull
  }
}
