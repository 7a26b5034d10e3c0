import { describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { ModelMarker, ModelStore } from '../../test/support/session/model-store.ts'
import { DeadlineClock } from '../base/clock.ts'
import { entryText, refreshToken } from '../base/secret.ts'
import { type EntryContent, entryName, readEntry, storedSession, writeEntry } from './entry.ts'
import type { ReadDecision } from './keychain-plan.ts'
import { KeychainSync } from './keychain-sync.ts'
import type { Marker } from './ports.ts'
import { newSession, SessionRecord } from './session-record.ts'

const ADDRESS = 'https://data.example'
const GRANT = { description: GRANTS.password, issuer: ADDRESS }
const NAME = entryName(ADDRESS, 'here')
const MINUTE = 60_000

const entryOf = (token: string | undefined, ...pending: readonly string[]): EntryContent => ({
  ...(token !== undefined && {
    session: storedSession({ grant: 'password', username: 'ana', issuer: ADDRESS, refreshToken: token }),
  }),
  revocations: pending.map((each) => ({ grant: 'password', issuer: ADDRESS, refreshToken: refreshToken(each) })),
})

/** A `KeychainSync` with a model of the keychain and of the marker. */
class Bench {
  readonly time = new ManualTime()
  readonly store = new ModelStore()
  readonly marker = new ModelMarker()
  readonly clock = new DeadlineClock(this.time)
  readonly record = new SessionRecord(this.clock)
  /** Each call to the keychain and each change of the marker. */
  readonly log: string[] = []
  readonly decisions: ReadDecision[] = []
  readonly #closing = new AbortController()
  readonly worker = this.#open()

  #open(): KeychainSync {
    this.store.onChange = (_, before, after) =>
      this.log.push(`${after === undefined ? 'delete' : 'write'} (${this.marker.get(NAME)})${before ? ' over' : ''}`)
    const store = this.store.open(this.clock)
    const { marker, clock, record } = this
    const { signal } = this.#closing
    return new KeychainSync({ name: NAME, store, marker, clock, random: () => 0.5, record, signal })
  }

  stop(): Promise<void> {
    this.#closing.abort()
    return this.worker.finish()
  }

  /** Starts the worker without acting on the decisions about the entry, which `decisions` then contains. */
  async read(): Promise<void> {
    const found = (decision: ReadDecision) => void this.decisions.push(decision)
    await this.worker.start({ found, failed: () => {}, synced: () => {} })
  }

  /** Starts the worker without restoring a session. */
  async start(): Promise<void> {
    await this.worker.start({
      found: (_, { revocations }) => {
        this.record.decide()
        for (const each of revocations) this.record.revoke(each)
      },
      failed: () => {},
      synced: () => this.log.push('synced'),
    })
    this.log.length = 0
  }

  signIn(token: string): Promise<void> {
    const session = newSession(GRANT, 'ana')
    this.record.replace({ ...session, refreshToken: refreshToken(token) })
    return this.worker.sync()
  }

  rotate(token: string): Promise<void> {
    const { session } = this.record
    if (session === undefined) throw new Error('no user is signed in')
    this.record.update({ ...session, refreshToken: refreshToken(token) })
    return this.worker.sync()
  }

  /** @param token the session's token, which is to be revoked */
  signOut(token?: string): Promise<void> {
    this.record.replace(undefined)
    if (token !== undefined) {
      this.record.revoke({ grant: 'password', issuer: ADDRESS, refreshToken: refreshToken(token) })
    }
    return this.worker.sync()
  }

  /** Removes all pending revocations from the record, as if each token had been revoked. */
  settle(): Promise<void> {
    for (const each of this.record.revocations) this.record.advance(each, undefined)
    return this.worker.sync()
  }

  put(entry: EntryContent, mark?: Marker): this {
    this.store.entries.set(NAME, writeEntry(entry).reveal())
    if (mark !== undefined) this.marker.set(NAME, mark)
    return this
  }

  get mark(): string | undefined {
    return this.marker.get(NAME)
  }

  /** The tokens in the entry: the session's first, then those to revoke. */
  get stored(): readonly (string | undefined)[] {
    const text = this.store.entries.get(NAME)
    const read = text === undefined ? undefined : readEntry(entryText(text))
    if (read?.kind !== 'entry') return []
    const { session, revocations } = read.entry
    return [session?.refreshToken.reveal(), ...revocations.map((each) => each.refreshToken.reveal())]
  }
}

/** A started worker that has stored a session with the token `a`. */
const signedIn = async (): Promise<Bench> => {
  const bench = new Bench()
  await bench.start()
  await bench.signIn('a')
  bench.log.length = 0
  return bench
}

describe('reading', () => {
  it('is retried while the keychain is locked, and at once when the computer wakes', async () => {
    const bench = new Bench().put(entryOf('a'), 'stored')
    bench.store.mode = 'locked'
    await bench.read()
    await bench.time.passSettling(MINUTE)
    expect(bench.decisions.length).toBeGreaterThan(3)
    bench.store.mode = 'ok'
    bench.worker.wake()
    await settle()
    expect(bench.decisions.at(-1)).toBe('resume')
    expect(new Set(bench.decisions.slice(0, -1))).toEqual(new Set(['locked']))
    expect(bench.time.pending()).toBe(0)
  })

  it('is repeated at once if the keychain was unlocked during the read', async () => {
    const bench = new Bench().put(entryOf('a'), 'stored')
    bench.store.mode = 'seemsMissing'
    const reading = bench.read()
    await Promise.resolve()
    bench.store.mode = 'ok'
    await reading
    expect(bench.decisions).toEqual(['resume'])
  })

  it.each(['{"version":3,"of":"a newer program"}', 'not JSON'])(
    'never leads to replacing or deleting another version’s entry, whatever the user does: %s',
    async (theirs) => {
      const bench = new Bench()
      bench.store.entries.set(NAME, theirs)
      bench.marker.set(NAME, 'stored')
      await bench.read()
      expect(bench.decisions).toEqual(['unknownVersion'])
      await bench.signIn('a')
      expect(bench.worker.kept).toBe('memory')
      await bench.rotate('b')
      await bench.signOut('b')
      await bench.settle()
      await bench.time.passSettling(60 * MINUTE)
      expect(bench.store.log).toEqual([])
      expect([bench.store.entries.get(NAME), bench.mark]).toEqual([theirs, 'stored'])
    },
  )
})

describe('storing a session', () => {
  it('sets the marker at once, even if the keychain hangs, and before it writes the entry', async () => {
    const bench = new Bench()
    await bench.start()
    bench.store.mode = 'hangs'
    const signingIn = bench.signIn('a')
    expect(bench.mark).toBe('stored')
    bench.store.mode = 'ok'
    await signingIn
    expect(bench.log).toEqual(['write (stored)', 'synced'])
    expect(bench.worker.kept).toBe('keychain')
    bench.store.mode = 'hangs'
    void bench.signOut('a')
    expect(bench.mark).toBe('signedOut')
  })

  it('retries a refused write, and then reports the session as stored', async () => {
    const bench = new Bench()
    await bench.start()
    bench.store.mode = 'fails'
    await bench.signIn('a')
    await bench.time.passSettling(MINUTE)
    expect([bench.log, bench.worker.kept]).toEqual([[], 'unsaved'])
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect([bench.log, bench.worker.kept]).toEqual([['write (stored)', 'synced'], 'keychain'])
    expect(bench.time.pending()).toBe(0)
  })

  it('is retried if the newest write fails, even if an older write succeeds', async () => {
    const bench = await signedIn()
    bench.store.mode = 'hangs'
    void bench.rotate('b')
    await settle()
    const kept = bench.rotate('c')
    bench.store.refuses = (kind) => kind === 'write' && bench.stored[0] === 'b'
    bench.store.mode = 'ok'
    await kept
    expect([bench.worker.kept, bench.stored]).toEqual(['unsaved', ['b']])
    bench.store.refuses = () => false
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toEqual(['c'])
  })

  it('writes a new refresh token without reading the entry first, because KeePassXC may ask the user', async () => {
    const bench = await signedIn()
    bench.store.refuses = (kind) => {
      bench.log.push(kind)
      return false
    }
    await bench.rotate('b')
    expect(bench.log).toEqual(['write', 'write (stored) over', 'synced'])
  })

  it('never overwrites an entry that hasn’t been read', async () => {
    const bench = new Bench().put(entryOf('old'), 'stored')
    bench.store.refuses = (kind) => kind === 'read'
    await bench.read()
    await bench.signIn('b')
    expect([bench.worker.kept, bench.stored]).toEqual(['unsaved', ['old']])
  })
})

describe('replacing another session', () => {
  it('removes the old session first, then stores the new one with the old token to revoke', async () => {
    const bench = await signedIn()
    bench.record.replace({ ...newSession(GRANT, 'ben'), refreshToken: refreshToken('b') })
    bench.record.revoke({ grant: 'password', issuer: ADDRESS, refreshToken: refreshToken('a') })
    await bench.worker.sync()
    expect(bench.log).toEqual(['write (signedOut) over', 'write (revoking) over', 'synced'])
    expect(bench.stored).toEqual(['b', 'a'])
    await bench.settle()
    expect(bench.log.slice(3)).toEqual(['write (stored) over', 'synced'])
    expect([bench.stored, bench.mark]).toEqual([['b'], 'stored'])
  })

  it('never restores the old session if the write fails', async () => {
    const bench = await signedIn()
    bench.store.mode = 'fails'
    await bench.signIn('b')
    await bench.time.passSettling(MINUTE)
    expect([bench.stored, bench.mark]).toEqual([['a'], 'signedOut'])
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect([bench.stored, bench.mark]).toEqual([['b'], 'stored'])
  })
})

it('signing out sets the marker, writes the entry, revokes, deletes the entry, and clears the marker', async () => {
  const bench = await signedIn()
  await bench.signOut('a')
  expect(bench.log).toEqual(['write (signedOut) over', 'synced'])
  expect(bench.stored).toEqual([undefined, 'a'])
  await bench.settle()
  expect(bench.log.slice(2)).toEqual(['delete (signedOut) over', 'synced'])
  expect(bench.mark).toBeUndefined()
})

describe('verifying an entry that the keychain may have lost', () => {
  it('stores the entry again if it is missing, and writes nothing if it is there', async () => {
    const bench = await signedIn()
    await bench.worker.verify()
    expect(bench.log).toEqual(['synced'])
    bench.store.entries.clear()
    await bench.worker.verify()
    expect([bench.stored, bench.worker.kept]).toEqual([['a'], 'keychain'])
  })

  it('reports the entry as unsaved while the keychain is locked, and reads the entry again later', async () => {
    const bench = await signedIn()
    bench.store.mode = 'locked'
    await bench.worker.verify()
    expect(bench.worker.kept).toBe('unsaved')
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect([bench.log, bench.worker.kept]).toEqual([['synced'], 'keychain'])
  })

  it('overwrites an older copy of the entry, without revoking the tokens in that copy', async () => {
    const bench = await signedIn()
    bench.put(entryOf('older', 'revoked long ago'))
    await bench.worker.verify()
    expect([bench.stored, bench.mark]).toEqual([['a'], 'stored'])
    expect(bench.record.revocations).toEqual([])
  })

  it('waits for a write under way, even while the app quits', async () => {
    const bench = await signedIn()
    bench.store.mode = 'hangs'
    const rotating = bench.rotate('b')
    await settle()
    const verifying = bench.worker.verify()
    const stopping = bench.stop()
    bench.store.onChange = () => queueMicrotask(() => bench.store.entries.clear())
    bench.store.mode = 'ok'
    await rotating
    bench.store.onChange = () => {}
    await Promise.all([verifying, stopping])
    expect(bench.stored).toEqual(['b'])
  })
})
