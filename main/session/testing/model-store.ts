import type { Outcome } from '../../../preload/contract.ts'
import type { Clock, Marker, ReadResult, SecretStore, StoredMarker } from '../ports.ts'
import { type EntryText, entryText } from '../secret.ts'

export type KeychainMode =
  | 'ok'
  | 'fails'
  | 'locked'
  /** Locked, and a read can't tell it from empty. */
  | 'seemsMissing'
  /** Calls stay where they are until the mode changes; their callers are told after 5 s that it took too long. */
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

const PATIENCE = 5_000
const OK: Outcome = { ok: true, value: undefined }
const unavailable = (cause: string): Outcome => ({
  ok: false,
  failure: { code: 'keychainUnavailable', details: { cause } },
})

/** A keychain that outlives the programs that use it. One call at a time, as the real one's adapter sees to. */
export class ModelStore {
  readonly entries = new Map<string, string>()
  persistence: SecretStore['persistence'] = 'keychain'
  /** Every change that was made, as `write name` or `delete name`. */
  readonly log: string[] = []
  /** Told of each change before it is made: the value is absent for a delete. */
  onChange: (name: string, before: string | undefined, after: string | undefined) => void = () => {}
  /** Fails single calls where the mode is `ok`. */
  refuses: (kind: Kind, name: string) => boolean = () => false
  #mode: KeychainMode = 'ok'
  #calls: Call[] = []

  get mode(): KeychainMode {
    return this.#mode
  }

  set mode(mode: KeychainMode) {
    this.#mode = mode
    this.#work()
  }

  get isBusy(): boolean {
    return this.#calls.length > 0
  }

  /** The program that used it is dead. A change under way may be made all the same. */
  kill(appliesBegun: boolean): void {
    const [first] = this.#calls
    this.#calls = []
    if (appliesBegun && first?.hasBegun) first.applyUnheard()
  }

  open(clock: Clock): SecretStore {
    const persistence = () => this.persistence
    return {
      get persistence() {
        return persistence()
      },
      read: (name) =>
        this.#call(clock, 'read', name, undefined, (cause): ReadResult => ({ kind: 'unavailable', cause })),
      write: (name, value) => this.#call(clock, 'write', name, value, unavailable),
      delete: (name) => this.#call(clock, 'delete', name, undefined, unavailable),
    }
  }

  #call<T>(
    clock: Clock,
    kind: Kind,
    name: string,
    value: EntryText | undefined,
    failed: (cause: string) => T,
  ): Promise<T> {
    return new Promise<T>((resolve) => {
      const cancelDeadline = clock.at(clock.now() + PATIENCE, () => {
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
      this.#work()
    })
  }

  #work(): void {
    for (let call = this.#calls[0]; call !== undefined; call = this.#calls[0]) {
      call.hasBegun = true
      if (this.#mode === 'hangs') return
      this.#calls.shift()
      call.run()
    }
  }

  #run(kind: Kind, name: string, value: EntryText | undefined): ReadResult | Outcome {
    if (this.#mode === 'ok' && this.refuses(kind, name)) return unavailable('refused')
    if (this.#mode === 'ok') return kind === 'read' ? this.#read(name) : this.#change(kind, name, value)
    if (kind !== 'read') return unavailable(this.#mode)
    if (this.#mode === 'seemsMissing') return { kind: 'missing' }
    return this.#mode === 'locked' ? { kind: 'locked' } : { kind: 'unavailable', cause: this.#mode }
  }

  #read(name: string): ReadResult {
    const value = this.entries.get(name)
    return value === undefined ? { kind: 'missing' } : { kind: 'found', value: entryText(value) }
  }

  #change(kind: Kind, name: string, value: EntryText | undefined): Outcome {
    if (kind === 'read') return OK
    this.log.push(`${kind} ${name}`)
    this.onChange(name, this.entries.get(name), value?.reveal())
    if (value === undefined) this.entries.delete(name)
    else this.entries.set(name, value.reveal())
    return OK
  }
}

/** The settings' memory of what the keychain holds. */
export class ModelMarker implements StoredMarker {
  readonly marks = new Map<string, Marker>()

  get(name: string): Marker | undefined {
    return this.marks.get(name)
  }

  set(name: string, marker: Marker): void {
    this.marks.set(name, marker)
  }

  clear(name: string): void {
    this.marks.delete(name)
  }
}
