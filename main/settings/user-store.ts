import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { KeyValueStore } from '../base/key-value-store.ts'
import type { SettingsProblem } from './problems.ts'

interface OpenedStore {
  readonly store: KeyValueStore
  readonly problems: readonly SettingsProblem[]
}

export const PRIVATE_MODE = 0o600
const WRITABLE_BY_ALL = 0o002

/**
 * Opens the user's settings file. A file that is damaged, or that another user may have changed, is set aside and
 * reported, but never deleted. Throws if the file can't be read. It then stays where it is, because it may be intact.
 * @param uid the user's own id; absent on Windows, where modes have no meaning
 * @param open reads the file, or begins a new one; throws if it is damaged
 * @param now milliseconds since the epoch, for the name of a file that is set aside
 */
export function openUserStore(
  file: string,
  uid: number | undefined,
  open: () => KeyValueStore,
  now: number,
): OpenedStore {
  if (uid !== undefined && !isOwn(file, uid)) return setAside('notPrivate')
  // The user may have put back a copy that others can read.
  makePrivate(file, uid)
  const wait = uid === undefined ? whileHeld : <T>(read: () => T) => read()
  const values = wait(() => readValues(file))
  if (values === 'damaged') return setAside('damaged')
  return { store: new HeldStore(file, wait(open), values ?? {}), problems: [] }

  function setAside(problem: 'notPrivate' | 'damaged'): OpenedStore {
    const aside = path.join(path.dirname(file), `config.${problem === 'damaged' ? problem : 'unsafe'}-${now}.json`)
    renameSync(file, aside)
    makePrivate(aside, uid)
    return { store: new HeldStore(file, open(), {}), problems: [{ source: 'user', where: aside, problem }] }
  }
}

const HELD = ['EBUSY', 'EPERM', 'EACCES']
const MOST_TRIES = 20
const PAUSE_MS = 100

/** Tries again for a moment, because on Windows a virus scanner or a backup may have the file open. */
function whileHeld<T>(read: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return read()
    } catch (error) {
      if (tries === MOST_TRIES || !HELD.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

/**
 * SECURITY: the file decides where passwords are sent: it must be the user's, no link, and not writable by everyone. A
 * missing file is accepted, and so is a folder, because reading it fails later.
 */
function isOwn(file: string, uid: number): boolean {
  const entry = lstatSync(file, { throwIfNoEntry: false })
  return (
    entry === undefined ||
    entry.isDirectory() ||
    (entry.isFile() && entry.uid === uid && (entry.mode & WRITABLE_BY_ALL) === 0)
  )
}

function makePrivate(file: string, uid: number | undefined): void {
  // For a link, `chmod` would change the target's mode, so only a real file is changed.
  if (uid === undefined || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) return
  try {
    chmodSync(file, PRIVATE_MODE)
  } catch {
    // The file belongs to another user, or this file system has no modes.
  }
}

type Values = Readonly<Record<string, unknown>>

/** Losing the file changes nothing in memory. If it can't be written, `set` throws and changes nothing. */
class HeldStore implements KeyValueStore {
  readonly #file: string
  readonly #store: Pick<KeyValueStore, 'set'>
  #values: Values

  constructor(file: string, store: Pick<KeyValueStore, 'set'>, values: Values) {
    this.#file = file
    this.#store = store
    this.#values = values
  }

  get(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined
  }

  set(key: string, value: unknown): void {
    const next = { ...this.#values, [key]: value }
    try {
      this.#store.set(key, value)
      // On an almost full disk, electron-store's package atomically 2.1 may write only the beginning of the text, and
      // the file may have been deleted. In both cases, this writes all values again.
      if (!this.#holds(next)) this.#writeAll(next)
    } catch (error) {
      if (this.#holds(this.#values)) throw error
      this.#writeAll(next)
    }
    this.#values = next
  }

  #holds(values: Values): boolean {
    try {
      const found = readValues(this.#file)
      if (found === undefined || found === 'damaged') return false
      return Object.keys(values).every((key) => Object.hasOwn(found, key))
    } catch {
      return false
    }
  }

  #writeAll(values: Values): void {
    const whole = `${this.#file}.new`
    try {
      writeFileSync(whole, JSON.stringify(values), { mode: 0o600 })
      renameSync(whole, this.#file)
    } catch (error) {
      rmSync(whole, { force: true })
      throw error
    }
  }
}

/** The values in the file; `undefined` if it is missing. Throws the system's error if the file can't be read. */
function readValues(file: string): Values | 'damaged' | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const { success, output } = v.safeParse(content, text)
  return success ? output : 'damaged'
}

/** The deepest nesting that is accepted. No setting is nested this deep. */
const DEEPEST = 16

/** SECURITY: JSON.parse reads values that are too deep for JSON.stringify, so no setting could be changed any more. */
const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))

const content = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !isDeeperThan(DEEPEST, value)),
  v.record(v.string(), v.unknown()),
)

/** Opens the settings for the diagnostics, which must not write. `set` does nothing. */
export function readUserStore(file: string, uid: number | undefined): OpenedStore {
  const nothing = { get: () => undefined, set: () => {} }
  const unusable = (problem: 'notPrivate' | 'damaged' | 'unreadable'): OpenedStore => ({
    store: nothing,
    problems: [{ source: 'user', where: file, problem }],
  })
  try {
    if (uid !== undefined && !isOwn(file, uid)) return unusable('notPrivate')
    const values = readValues(file)
    if (values === 'damaged') return unusable('damaged')
    const known = new Map(Object.entries(values ?? {}))
    return { store: { ...nothing, get: (key) => known.get(key) }, problems: [] }
  } catch {
    return unusable('unreadable')
  }
}
