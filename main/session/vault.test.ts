import { describe, expect, it } from 'vitest'
import type { Kept } from '../../contract/views.ts'
import { DeadlineClock } from './clock.ts'
import { type SessionEntry, writeSessionEntry } from './entry.ts'
import { refreshToken } from './secret.ts'
import { HandTime, settle } from './testing/hand-time.ts'
import { type KeychainMode, ModelMarker, ModelStore } from './testing/model-store.ts'
import { Vault } from './vault.ts'

const NAME = 'https://data.example'
const MINUTE = 60_000

const entryWith = (token: string): SessionEntry => ({
  method: 'password',
  username: 'ana',
  issuer: NAME,
  refreshToken: refreshToken(token),
})

/** A vault over a keychain and a marker that outlive it. */
class Bench {
  readonly time = new HandTime()
  readonly store = new ModelStore()
  readonly marker = new ModelMarker()
  readonly clock = new DeadlineClock(this.time)
  /** Everything that was told or changed, in order. */
  readonly log: string[] = []
  isSafe = true
  pending: string | undefined
  unspared: string | undefined
  vault = this.open()

  constructor() {
    this.store.onChange = (_, before, after) =>
      this.log.push(`${after === undefined ? 'delete' : 'write'} (${this.marker.get(NAME)})${before ? ' over' : ''}`)
  }

  open(): Vault {
    this.vault = new Vault({
      name: NAME,
      store: this.store.open(this.clock),
      marker: this.marker,
      clock: this.clock,
      random: () => 0.5,
      onKept: (kept: Kept) => this.log.push(`kept: ${kept}`),
      onLeft: async (entry) => {
        this.log.push(`left: ${entry.refreshToken.reveal()}`)
      },
      isCondemned: (token) => token.reveal() === this.pending,
      spare: async (token) => token.reveal() !== this.unspared,
      mayForget: () => this.isSafe,
      onForgotten: () => this.log.push('forgotten'),
    })
    return this.vault
  }

  /** Hangs once what stands there has been read. */
  hangsAtTheWrite(): void {
    this.store.refuses = (kind) => {
      if (kind === 'read') this.store.mode = 'hangs'
      return false
    }
  }

  put(token: string, mark?: 'stored' | 'leaving'): this {
    this.store.entries.set(NAME, writeSessionEntry(entryWith(token)).reveal())
    if (mark !== undefined) this.marker.set(NAME, mark)
    return this
  }

  get stored(): string | undefined {
    return /"refreshToken":"(.*?)"/.exec(this.store.entries.get(NAME) ?? '')?.[1]
  }
}

describe('reading', () => {
  const table: readonly (readonly [KeychainMode, 'entry' | 'none', 'stored' | 'leaving' | undefined, string])[] = [
    ['ok', 'entry', 'stored', 'session'],
    ['ok', 'entry', undefined, 'session'],
    ['ok', 'entry', 'leaving', 'leaving'],
    ['ok', 'none', 'stored', 'locked'],
    ['ok', 'none', undefined, 'nothing'],
    ['ok', 'none', 'leaving', 'nothing'],
    ['seemsMissing', 'entry', 'stored', 'locked'],
    ['seemsMissing', 'entry', undefined, 'nothing'],
    ['seemsMissing', 'entry', 'leaving', 'nothing'],
    ['locked', 'entry', 'stored', 'locked'],
    ['locked', 'entry', undefined, 'nothing'],
    ['locked', 'entry', 'leaving', 'leaving'],
    ['fails', 'entry', 'stored', 'locked'],
    ['fails', 'entry', undefined, 'nothing'],
    ['fails', 'entry', 'leaving', 'leaving'],
  ]
  it.each(table)('a keychain that is %s, holding %s, with the marker %s: %s', async (mode, what, mark, kind) => {
    const bench = new Bench()
    if (what === 'entry') bench.put('a')
    if (mark !== undefined) bench.marker.set(NAME, mark)
    bench.store.mode = mode
    expect((await bench.vault.read()).kind).toBe(kind)
    // A read deletes nothing and forgets nothing.
    expect(bench.log).toEqual([])
    expect(bench.stored).toBe(what === 'entry' ? 'a' : undefined)
    expect(bench.marker.get(NAME)).toBe(mark)
  })

  it('gives the entry as it was kept', async () => {
    const bench = new Bench()
    await bench.vault.keep({ ...entryWith('a'), sub: 's' })
    const read = await bench.open().read()
    expect(read).toMatchObject({ kind: 'session', entry: { method: 'password', username: 'ana', sub: 's' } })
    expect(read.kind === 'session' && read.entry.refreshToken.reveal()).toBe('a')
  })

  it('reads again where a keychain may have been unlocked between two questions', async () => {
    const bench = new Bench().put('a', 'stored')
    bench.store.mode = 'seemsMissing'
    const reading = bench.vault.read()
    bench.store.mode = 'ok'
    expect((await reading).kind).toBe('session')
  })

  it('what waits to be revoked is left, whatever the marker says', async () => {
    const bench = new Bench().put('a', 'stored')
    bench.pending = 'a'
    expect(await bench.vault.read()).toEqual({ kind: 'leaving' })
    expect(await bench.vault.readOther()).toBeUndefined()
    expect(bench.stored).toBe('a')
  })

  it('what nobody can read is nothing, and is not deleted', async () => {
    const bench = new Bench()
    bench.store.entries.set(NAME, 'garbage')
    bench.marker.set(NAME, 'stored')
    expect(await bench.vault.read()).toEqual({ kind: 'nothing' })
    expect(bench.store.entries.get(NAME)).toBe('garbage')
  })
})

describe('keeping', () => {
  it('sets the marker before the entry', async () => {
    const bench = new Bench()
    expect(await bench.vault.keep(entryWith('a'))).toBe('keychain')
    expect(bench.log).toEqual(['write (stored)'])
  })

  it('what the keychain does not take is tried until it does, and told then', async () => {
    const bench = new Bench()
    bench.store.mode = 'fails'
    expect(await bench.vault.keep(entryWith('a'))).toBe('unwritten')
    expect(bench.vault.kept).toBe('unwritten')
    await bench.time.passSettling(MINUTE)
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect(bench.log).toEqual(['write (stored)', 'kept: keychain'])
    expect(bench.vault.kept).toBe('keychain')
    expect(bench.time.pending()).toBe(0)
  })

  it('tries at once on wake', async () => {
    const bench = new Bench()
    bench.store.mode = 'fails'
    await bench.vault.keep(entryWith('a'))
    bench.store.mode = 'ok'
    bench.vault.wake()
    await settle()
    expect(bench.stored).toBe('a')
  })

  it('the newest wins, in whatever order the keychain gets round to it', async () => {
    const bench = new Bench()
    bench.store.mode = 'hangs'
    const first = bench.vault.keep(entryWith('a'))
    const second = bench.vault.keep(entryWith('b'))
    bench.store.mode = 'ok'
    await Promise.all([first, second])
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('b')
    expect(bench.vault.kept).toBe('keychain')
  })

  it('an older write that comes to its end does not pass for the newest, which fails', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('before'))
    bench.hangsAtTheWrite()
    void bench.vault.keep(entryWith('a'))
    await settle()
    const kept = bench.vault.keep(entryWith('b'))
    bench.store.refuses = (kind) => kind === 'write' && bench.stored === 'a'
    bench.store.mode = 'ok'
    expect(await kept).toBe('unwritten')
    expect(bench.stored).toBe('a')
    bench.store.refuses = () => false
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('b')
  })

  it('in memory leaves no mark', async () => {
    const bench = new Bench()
    bench.store.persistence = 'memory'
    expect(await bench.vault.keep(entryWith('a'))).toBe('memory')
    expect(bench.marker.get(NAME)).toBeUndefined()
  })

  it('hands over what stood there and nobody had read', async () => {
    const bench = new Bench().put('old', 'stored')
    await bench.vault.keep(entryWith('a'))
    expect(bench.log).toEqual(['left: old', 'write (stored) over'])
  })

  it('hands nothing over that was taken, or that it wrote itself', async () => {
    const bench = new Bench().put('old', 'stored')
    await bench.vault.read()
    bench.vault.take(refreshToken('old'))
    await bench.vault.keep(entryWith('a'))
    await bench.vault.keep(entryWith('b'))
    expect(bench.log).toEqual(['write (stored) over', 'write (stored) over'])
  })

  it('does not take its own late write for somebody else’s', async () => {
    const bench = new Bench()
    bench.store.mode = 'hangs'
    const kept = bench.vault.keep(entryWith('a'))
    await bench.time.passSettling(11_000)
    expect(await kept).toBe('unwritten')
    bench.store.mode = 'ok'
    await bench.vault.keep(entryWith('b'))
    expect(bench.log.filter((line) => line.startsWith('left'))).toEqual([])
    expect(bench.stored).toBe('b')
  })

  it('over an entry that was left deletes that first, and only then sets the marker', async () => {
    const bench = new Bench().put('old', 'leaving')
    await bench.vault.keep(entryWith('a'))
    expect(bench.log).toEqual(['left: old', 'delete (leaving) over', 'write (stored)'])
  })

  it.each(['fails', 'locked', 'seemsMissing'] as const)(
    'over an entry that was left, in a keychain that %s: it stays left, and is handed over in the end',
    async (mode) => {
      const bench = new Bench().put('old', 'leaving')
      bench.store.mode = mode
      expect(await bench.vault.keep(entryWith('a'))).toBe('unwritten')
      expect(bench.marker.get(NAME)).toBe('leaving')
      bench.store.mode = 'ok'
      await bench.time.passSettling(MINUTE)
      expect(bench.log[0]).toBe('left: old')
      expect(bench.stored).toBe('a')
      expect(bench.marker.get(NAME)).toBe('stored')
    },
  )
})

describe('another copy of the program', () => {
  it('has written what is taken: the settings of this one remember it too', () => {
    const bench = new Bench().put('a')
    bench.vault.take(refreshToken('a'))
    expect(bench.marker.get(NAME)).toBe('stored')
  })

  it('has written since, for the same account: that stays, and is what is read next', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.put('theirs')
    expect(await bench.vault.keep(entryWith('b'))).toBe('keychain')
    expect(bench.stored).toBe('theirs')
    expect((await bench.vault.readOther())?.refreshToken.reveal()).toBe('theirs')
  })

  it('has written since what waits to be revoked: that does not stay', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.put('theirs')
    bench.pending = 'theirs'
    expect(await bench.vault.keep(entryWith('b'))).toBe('keychain')
    expect(bench.stored).toBe('b')
  })

  it('has rotated what a write of ours, that seemed to fail, brought there: it is not written again', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.hangsAtTheWrite()
    const kept = bench.vault.keep(entryWith('b'))
    await settle()
    await bench.time.passSettling(5_000)
    expect(await kept).toBe('unwritten')
    bench.store.refuses = () => false
    bench.store.mode = 'ok'
    expect(bench.stored).toBe('b')
    bench.put('theirs')
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('theirs')
    expect(bench.vault.kept).toBe('keychain')
  })

  it('has begun a session since the user left: a deletion that comes late leaves it alone', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.isSafe = false
    bench.vault.leave()
    await bench.vault.forget()
    // Told by its look that what stood there was ours.
    bench.put('theirs')
    bench.isSafe = true
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('theirs')
    expect(bench.log).not.toContain('left: theirs')
    expect(bench.marker.get(NAME)).toBeUndefined()
  })

  it('wrote what stands there, when the user signs in anew: it is read before it is replaced', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.put('theirs')
    bench.vault.recheck()
    await bench.vault.keep(entryWith('b'))
    expect(bench.log).toContain('left: theirs')
    expect(bench.stored).toBe('b')
  })

  it('may have written what can’t be read: it is not replaced unread', async () => {
    const bench = new Bench().put('theirs')
    bench.store.refuses = (kind) => kind === 'read'
    expect(await bench.vault.keep(entryWith('b'))).toBe('unwritten')
    expect(bench.stored).toBe('theirs')
    expect(await bench.vault.readOther()).toBeUndefined()
    bench.store.refuses = () => false
    await bench.time.passSettling(MINUTE)
    expect(bench.log).toContain('left: theirs')
    expect(bench.stored).toBe('b')
  })
})

describe('leaving and forgetting', () => {
  it('the mark comes first, at once; the entry goes before the marker', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.vault.leave()
    expect(bench.marker.get(NAME)).toBe('leaving')
    expect(bench.stored).toBe('a')
    await bench.vault.forget()
    expect(bench.log.slice(1)).toEqual(['delete (leaving) over', 'forgotten'])
    expect(bench.marker.get(NAME)).toBeUndefined()
  })

  it('hands over what nobody had read before it goes', async () => {
    const bench = new Bench().put('old', 'stored')
    bench.vault.leave()
    await bench.vault.forget()
    expect(bench.log).toEqual(['left: old', 'delete (leaving) over', 'forgotten'])
  })

  it('what was read but not taken is handed over too', async () => {
    const bench = new Bench().put('old', 'stored')
    await bench.vault.read()
    bench.vault.leave()
    await bench.vault.forget()
    expect(bench.log[0]).toBe('left: old')
  })

  it.each(['locked', 'fails', 'hangs'] as const)(
    'a keychain that %s: never deleted unread, tried again',
    async (mode) => {
      const bench = new Bench().put('old', 'stored')
      bench.store.mode = mode
      bench.vault.leave()
      void bench.vault.forget()
      await bench.time.passSettling(5 * MINUTE)
      expect(bench.stored).toBe('old')
      expect(bench.marker.get(NAME)).toBe('leaving')
      bench.store.mode = 'ok'
      await bench.time.passSettling(MINUTE)
      expect(bench.log).toEqual(['left: old', 'delete (leaving) over', 'forgotten'])
    },
  )

  it('waits until the token is safe elsewhere', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.isSafe = false
    bench.vault.leave()
    await bench.vault.forget()
    expect(bench.stored).toBe('a')
    bench.isSafe = true
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBeUndefined()
  })

  it('forgets a write that was waiting', async () => {
    const bench = new Bench()
    bench.store.mode = 'fails'
    await bench.vault.keep(entryWith('a'))
    bench.vault.leave()
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect(bench.log).toEqual([])
  })

  it('with the keychain away marks what it holds, and leaves the mark for when it is back', async () => {
    const bench = new Bench()
    bench.marker.set(NAME, 'stored')
    bench.store.persistence = 'memory'
    bench.vault.leave()
    await bench.vault.forget()
    expect(bench.marker.get(NAME)).toBe('leaving')
  })

  it('with the keychain away, where nothing was stored, marks nothing', () => {
    const bench = new Bench()
    bench.store.persistence = 'memory'
    bench.vault.leave()
    expect(bench.marker.get(NAME)).toBeUndefined()
  })

  it('what is kept after takes its place', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.store.mode = 'hangs'
    bench.vault.leave()
    const forgotten = bench.vault.forget()
    const kept = bench.vault.keep(entryWith('b'))
    bench.store.mode = 'ok'
    await Promise.all([forgotten, kept])
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('b')
    expect(bench.marker.get(NAME)).toBe('stored')
    expect(bench.log.filter((line) => line.startsWith('left'))).toEqual([])
  })

  it('disowns what stands there, but not what is to take its place', async () => {
    const bench = new Bench()
    await bench.vault.keep(entryWith('a'))
    bench.hangsAtTheWrite()
    const kept = bench.vault.keep(entryWith('b'))
    await settle()
    await bench.time.passSettling(5_000)
    expect(await kept).toBe('unwritten')
    bench.vault.disown()
    expect(bench.marker.get(NAME)).toBe('leaving')
    bench.store.refuses = () => false
    bench.store.mode = 'ok'
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toBe('b')
    expect(bench.marker.get(NAME)).toBe('stored')
    expect(bench.log.filter((line) => line.startsWith('delete'))).toEqual([])
  })
})

describe('stopping', () => {
  it('tries for a last time, and then no more', async () => {
    const bench = new Bench()
    bench.store.mode = 'fails'
    await bench.vault.keep(entryWith('a'))
    await bench.vault.stop()
    expect(bench.time.pending()).toBe(0)
    const other = new Bench()
    other.store.mode = 'fails'
    await other.vault.keep(entryWith('a'))
    other.store.mode = 'ok'
    await other.vault.stop()
    expect(other.stored).toBe('a')
  })

  it('waits for the attempt under way', async () => {
    const bench = new Bench()
    bench.store.mode = 'hangs'
    void bench.vault.keep(entryWith('a'))
    let isStopped = false
    void bench.vault.stop().then(() => {
      isStopped = true
    })
    await settle()
    expect(isStopped).toBe(false)
    bench.store.mode = 'ok'
    await settle()
    expect(isStopped).toBe(true)
    expect(bench.stored).toBe('a')
  })
})
