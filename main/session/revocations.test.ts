import { describe, expect, it } from 'vitest'
import { DeadlineClock } from './clock.ts'
import { readRevocationsEntry, revocationsEntryName, writeRevocationsEntry } from './entry.ts'
import { receive } from './receipt.ts'
import { type Condemned, Revocations } from './revocations.ts'
import { entryText, refreshToken } from './secret.ts'
import { HandTime, settle } from './testing/hand-time.ts'
import { type Answer, ModelService, type Operation } from './testing/model-service.ts'
import { ModelMarker, ModelStore } from './testing/model-store.ts'

const NAME = 'https://data.example'
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pending revocations over a service and a keychain that outlive them. */
class Bench {
  readonly time = new HandTime()
  readonly clock = new DeadlineClock(this.time)
  readonly service = new ModelService({ now: () => this.time.trueTime })
  readonly store = new ModelStore()
  readonly marker = new ModelMarker()
  readonly client = this.service.client({ id: 1, clock: this.clock, isAlive: () => true })
  settled = 0
  inUse: string | undefined
  revocations = this.open()

  open(): Revocations {
    this.revocations = new Revocations({
      name: NAME,
      service: this.service.client({ id: Math.random(), clock: this.clock, isAlive: () => true }),
      store: this.store.open(this.clock),
      marker: this.marker,
      clock: this.clock,
      random: () => 0.5,
      isInUse: (token) => token.reveal() === this.inUse,
      onPostponed: () => {},
      onSettled: () => {
        this.settled += 1
      },
    })
    return this.revocations
  }

  async signedIn(username = 'ana'): Promise<Condemned> {
    const issued = await this.client.login({
      username,
      password: { reveal: () => this.service.passwords.get(username) } as never,
    })
    if (!issued.ok) throw new Error('not signed in')
    const { refreshToken: token, ...receipt } = receive(issued.value, this.clock)
    if (token === undefined) throw new Error('no refresh token')
    return { ...receipt, refreshToken: token }
  }

  answer(answers: Partial<Record<Operation, Answer | undefined>>): void {
    this.service.answering = ({ operation }) => (operation in answers ? answers[operation] : 'reply')
  }

  /** From now on: answers how often the keychain was read. */
  countReads(): () => number {
    let reads = 0
    this.store.refuses = (kind) => {
      if (kind === 'read') reads += 1
      return false
    }
    return () => reads
  }

  get operations(): readonly (string | undefined)[] {
    return this.service.log.map((line) => line.split(' ')[0]).filter((each) => each !== 'login')
  }

  get stored(): readonly string[] | undefined {
    const text = this.store.entries.get(revocationsEntryName(NAME))
    return text === undefined ? undefined : readRevocationsEntry(entryText(text))?.map((each) => each.reveal())
  }

  dead(n: number): boolean | undefined {
    return this.service.families[n]?.isDead
  }
}

describe('a revocation', () => {
  it('is written before it is sent, and goes when it is done', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.revocations.add(condemned)
    void bench.revocations.run()
    await settle()
    expect(bench.stored).toEqual([condemned.refreshToken.reveal()])
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect(bench.dead(0)).toBe(true)
    expect(bench.stored).toBeUndefined()
    expect(bench.settled).toBe(1)
    expect(bench.time.pending()).toBe(0)
  })

  it('with an access token that has run out gets a fresh one first', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    bench.time.pass(HOUR)
    await bench.revocations.add(condemned)
    await bench.revocations.run()
    expect(bench.operations).toEqual(['refresh', 'logout'])
    expect(bench.dead(0)).toBe(true)
  })

  it('without an access token gets one; the refreshed token takes its place before it is sent', async () => {
    const bench = new Bench()
    const { refreshToken: token } = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.revocations.add({ refreshToken: token })
    void bench.revocations.run()
    await settle()
    expect(bench.operations).toEqual(['refresh', 'logout'])
    expect(bench.stored).toEqual([bench.service.pending[0]?.sent])
    expect(bench.stored).not.toEqual([token.reveal()])
  })

  it('that is refused asks once more with a fresh access token, and later; a service that refuses on is believed', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'refuse' })
    await bench.revocations.add(await bench.signedIn())
    await bench.revocations.run()
    expect(bench.operations).toEqual(['logout', 'refresh', 'logout'])
    await bench.revocations.run()
    expect(bench.revocations.isEmpty).toBe(false)
    await bench.revocations.run()
    expect(bench.revocations.isEmpty).toBe(true)
    expect(bench.revocations.end).toBe('refused')
  })

  it('that is refused at first, and then is not, is done', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'refuse' })
    await bench.revocations.add(await bench.signedIn())
    await bench.revocations.run()
    bench.answer({})
    await bench.revocations.run()
    expect(bench.revocations.isEmpty).toBe(true)
    expect(bench.revocations.end).toBe('done')
  })

  it('of a token that the service refuses is settled', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    bench.answer({ logout: 'refuse', refresh: 'refuse' })
    await bench.revocations.add(condemned)
    await bench.revocations.run()
    expect(bench.operations).toEqual(['logout', 'refresh'])
    expect(bench.revocations.isEmpty).toBe(true)
    expect(bench.stored).toBeUndefined()
  })

  it('refused because the fresh access token ran out on the way is tried again', async () => {
    const bench = new Bench()
    bench.service.options.lifetime = 5
    const { refreshToken: token } = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.revocations.add({ refreshToken: token })
    void bench.revocations.run()
    await settle()
    await bench.time.passSettling(10 * SECOND)
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect(bench.dead(0)).toBe(false)
    expect(bench.revocations.isEmpty).toBe(false)
    bench.answer({})
    await bench.time.passSettling(MINUTE)
    expect(bench.dead(0)).toBe(true)
  })

  it('refused each time because the fresh access token ran out on the way is not believed, however often', async () => {
    const bench = new Bench()
    bench.service.options.lifetime = 5
    const { refreshToken: token } = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.revocations.add({ refreshToken: token })
    for (let asked = 1; asked <= 5; asked += 1) {
      void bench.revocations.run()
      await settle()
      expect(bench.operations.filter((each) => each === 'logout')).toHaveLength(asked)
      await bench.time.passSettling(10 * SECOND)
      bench.service.pending[0]?.answer('reply')
      await settle()
    }
    expect(bench.dead(0)).toBe(false)
    expect(bench.revocations.isEmpty).toBe(false)
    bench.answer({})
    await bench.revocations.run()
    expect(bench.revocations.end).toBe('done')
    expect(bench.dead(0)).toBe(true)
  })

  it.each(['unreachable', 'loseReply', { retryAfter: 1 }] as const)('%s is tried until it is done', async (failure) => {
    const bench = new Bench()
    bench.answer({ logout: failure, refresh: failure })
    await bench.revocations.add(await bench.signedIn())
    await bench.revocations.run()
    expect(bench.revocations.isEmpty).toBe(false)
    await bench.time.passSettling(HOUR)
    bench.answer({})
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.revocations.isEmpty).toBe(true)
    expect(bench.dead(0)).toBe(true)
    expect(bench.settled).toBe(1)
  })

  it('obeys Retry-After, on wake too', async () => {
    const bench = new Bench()
    bench.answer({ logout: { retryAfter: 600 } })
    await bench.revocations.add(await bench.signedIn())
    await bench.revocations.run()
    bench.answer({})
    await bench.time.passSettling(599 * SECOND)
    bench.revocations.wake()
    await settle()
    expect(bench.operations).toEqual(['logout'])
    await bench.time.passSettling(2 * SECOND)
    expect(bench.dead(0)).toBe(true)
  })

  it('is tried at once on wake', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'unreachable' })
    await bench.revocations.add(await bench.signedIn())
    await bench.revocations.run()
    bench.answer({})
    bench.revocations.wake()
    await settle()
    expect(bench.dead(0)).toBe(true)
  })

  it('of what is in use waits until it is not', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    await bench.revocations.add(condemned)
    bench.open()
    bench.inUse = condemned.refreshToken.reveal()
    void bench.revocations.run()
    await bench.time.passSettling(MINUTE)
    expect(bench.operations).toEqual([])
    expect(bench.stored).toEqual([bench.inUse])
    bench.inUse = undefined
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.dead(0)).toBe(true)
  })

  it('of a token whose refresh is under way waits for what lands, and revokes that', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    bench.answer({ refresh: undefined })
    const landing = bench.client
      .refresh(condemned.refreshToken)
      .then((answer) => (answer.ok ? answer.value : undefined))
    await bench.revocations.add(condemned, landing)
    void bench.revocations.run()
    await settle()
    expect(bench.operations).toEqual(['refresh'])
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect(bench.operations).toEqual(['refresh', 'logout'])
    expect(bench.service.log.at(-1)).not.toContain(condemned.refreshToken.reveal())
    expect(bench.dead(0)).toBe(true)
  })
})

describe('the list', () => {
  it('is remembered in the settings before it is written, until it is deleted', async () => {
    const bench = new Bench()
    const mark = () => bench.marker.get(revocationsEntryName(NAME))
    bench.answer({ logout: 'unreachable' })
    bench.store.refuses = (kind) => kind === 'write'
    await bench.revocations.add(await bench.signedIn())
    expect([bench.stored, mark()]).toEqual([undefined, 'stored'])
    bench.store.refuses = () => false
    await bench.revocations.run()
    expect(bench.stored).toHaveLength(1)
    bench.answer({})
    bench.store.refuses = (kind) => kind === 'delete'
    await bench.revocations.run()
    expect(bench.dead(0)).toBe(true)
    expect(mark()).toBe('stored')
    bench.store.refuses = () => false
    await bench.time.passSettling(5 * MINUTE)
    expect(bench.stored).toBeUndefined()
    expect(mark()).toBeUndefined()
  })

  it('that an earlier version left is remembered too', async () => {
    const bench = new Bench()
    bench.answer({ refresh: 'unreachable' })
    const { refreshToken: token } = await bench.signedIn()
    bench.store.entries.set(revocationsEntryName(NAME), writeRevocationsEntry([token]).reveal())
    await bench.revocations.load()
    expect(bench.marker.get(revocationsEntryName(NAME))).toBe('stored')
  })

  it('is read once for all who ask at the start', async () => {
    const bench = new Bench()
    const reads = bench.countReads()
    await Promise.all([bench.revocations.run(), bench.revocations.load(), bench.revocations.load()])
    expect(reads()).toBe(1)
  })

  it('in memory alone leaves nothing in the settings', async () => {
    const bench = new Bench()
    bench.store.persistence = 'memory'
    bench.answer({ logout: 'unreachable' })
    await bench.revocations.add(await bench.signedIn())
    expect(bench.marker.marks.size).toBe(0)
  })

  it('is taken up by the next start', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'unreachable' })
    await bench.revocations.add(await bench.signedIn('ana'))
    await bench.revocations.add(await bench.signedIn('ben'))
    await bench.revocations.stop()
    bench.answer({})
    await bench.open().run()
    expect([bench.dead(0), bench.dead(1)]).toEqual([true, true])
    expect(bench.stored).toBeUndefined()
    expect(bench.settled).toBe(1)
  })

  it('takes a token once', async () => {
    const bench = new Bench()
    const condemned = await bench.signedIn()
    await Promise.all([bench.revocations.add(condemned), bench.revocations.add(condemned)])
    await bench.revocations.run()
    await bench.revocations.add(condemned)
    await bench.revocations.run()
    expect(bench.operations).toEqual(['logout'])
  })

  it('that grows while it is worked through is worked through', async () => {
    const bench = new Bench()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    bench.answer({ logout: undefined })
    await bench.revocations.add(ana)
    void bench.revocations.run()
    await settle()
    await bench.revocations.add(ben)
    bench.answer({})
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect([bench.dead(0), bench.dead(1)]).toEqual([true, true])
  })

  it('one that can’t be settled does not hold up the next', async () => {
    const bench = new Bench()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    bench.service.answering = ({ sent }) => (sent === ana.refreshToken.reveal() ? 'unreachable' : 'reply')
    await bench.revocations.add(ana)
    await bench.revocations.add(ben)
    await bench.revocations.run()
    expect([bench.dead(0), bench.dead(1)]).toEqual([false, true])
    expect(bench.stored).toEqual([ana.refreshToken.reveal()])
  })

  it('is never written over unread: what an earlier run left is kept', async () => {
    const bench = new Bench()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    bench.store.entries.set(revocationsEntryName(NAME), writeRevocationsEntry([ana.refreshToken]).reveal())
    bench.answer({ logout: 'unreachable', refresh: 'unreachable' })
    bench.store.mode = 'locked'
    await bench.revocations.add(ben)
    void bench.revocations.run()
    await bench.time.passSettling(MINUTE)
    expect(bench.stored).toEqual([ana.refreshToken.reveal()])
    expect(bench.revocations.isSafe).toBe(false)
    bench.store.mode = 'ok'
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.stored).toEqual([ana, ben].map((each) => each.refreshToken.reveal()))
    expect(bench.revocations.isSafe).toBe(true)
  })

  it('keeps what another copy of the program has added', async () => {
    const bench = new Bench()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    await bench.revocations.load()
    bench.store.entries.set(revocationsEntryName(NAME), writeRevocationsEntry([ana.refreshToken]).reveal())
    await bench.revocations.add(ben)
    expect(bench.stored).toEqual([ana, ben].map((each) => each.refreshToken.reveal()))
  })

  it.each([
    ['tried again', (bench: Bench) => bench.time.passSettling(MINUTE)],
    ['stopped', (_: Bench, copies: readonly Revocations[]) => Promise.all(copies.map((copy) => copy.stop()))],
  ])(
    'that another copy of the program has written over in the same instant is written once more when %s',
    async (_, later) => {
      const bench = new Bench()
      const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
      bench.answer({ logout: 'unreachable', refresh: 'unreachable' })
      const copies = [bench.revocations, bench.open()] as const
      await Promise.all([copies[0].add(ana), copies[1].add(ben)])
      expect(bench.stored).toEqual([ben.refreshToken.reveal()])
      void copies[0].run()
      await settle()
      await later(bench, copies)
      expect(bench.stored?.toSorted()).toEqual([ana, ben].map((each) => each.refreshToken.reveal()).toSorted())
    },
  )

  it('is looked at once after it was written, and not with every try', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'unreachable', refresh: 'unreachable' })
    await bench.revocations.add(await bench.signedIn())
    const reads = bench.countReads()
    await bench.revocations.run()
    expect(reads()).toBe(0)
    await bench.time.passSettling(HOUR)
    expect(bench.operations.length).toBeGreaterThan(10)
    expect(reads()).toBe(1)
    await bench.revocations.stop()
    expect(reads()).toBe(1)
  })

  it.each([
    ['nothing is left of it', 'ok', { logout: 'reply' }],
    ['the keychain has not taken it', 'fails', { logout: 'unreachable', refresh: 'unreachable' }],
  ] as const)('is not looked at on quitting where %s', async (_, mode, answers) => {
    const bench = new Bench()
    bench.answer(answers)
    const condemned = await bench.signedIn()
    bench.store.mode = mode
    await bench.revocations.add(condemned)
    await bench.revocations.run()
    bench.store.mode = 'ok'
    const reads = bench.countReads()
    await bench.revocations.stop()
    expect(reads()).toBe(0)
  })

  it('of which another copy has left one alone is whole again, once the keychain can be read', async () => {
    const bench = new Bench()
    bench.answer({ logout: 'unreachable', refresh: 'unreachable' })
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    await bench.revocations.add(ana)
    await bench.revocations.add(ben)
    const changes = bench.store.log.length
    await bench.revocations.run()
    bench.store.entries.set(revocationsEntryName(NAME), writeRevocationsEntry([ana.refreshToken]).reveal())
    bench.store.mode = 'locked'
    await bench.time.passSettling(MINUTE)
    bench.store.mode = 'ok'
    expect(bench.store.log).toHaveLength(changes)
    expect(bench.revocations.isSafe).toBe(true)
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.stored?.toSorted()).toEqual([ana, ben].map((each) => each.refreshToken.reveal()).toSorted())
    expect(bench.store.log).toHaveLength(changes + 1)
  })

  it('that the keychain does not take is sent all the same, and is safe once that is done', async () => {
    const bench = new Bench()
    bench.store.mode = 'fails'
    await bench.revocations.add(await bench.signedIn())
    expect(bench.revocations.isSafe).toBe(false)
    await bench.revocations.run()
    expect(bench.dead(0)).toBe(true)
    expect(bench.revocations.isSafe).toBe(true)
  })

  it('that could not be deleted is deleted later', async () => {
    const bench = new Bench()
    bench.answer({ logout: undefined })
    await bench.revocations.add(await bench.signedIn())
    void bench.revocations.run()
    await settle()
    bench.store.mode = 'fails'
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect(bench.stored).toHaveLength(1)
    bench.store.mode = 'ok'
    await bench.time.passSettling(5 * MINUTE)
    expect(bench.stored).toBeUndefined()
    expect(bench.operations).toEqual(['logout'])
  })

  it('that nobody can read is nothing', async () => {
    const bench = new Bench()
    bench.store.entries.set(revocationsEntryName(NAME), 'garbage')
    await bench.revocations.run()
    expect(bench.revocations.isEmpty).toBe(true)
  })

  it('rests when it is empty', async () => {
    const bench = new Bench()
    await bench.revocations.run()
    expect(bench.time.pending()).toBe(0)
    expect(bench.store.log).toEqual([])
    expect(bench.settled).toBe(0)
  })

  it('stops after the request under way', async () => {
    const bench = new Bench()
    await bench.revocations.add(await bench.signedIn('ana'))
    await bench.revocations.add({ refreshToken: refreshToken('another') })
    bench.answer({ logout: undefined })
    void bench.revocations.run()
    await settle()
    const stopped = bench.revocations.stop()
    bench.service.pending[0]?.answer('reply')
    await stopped
    expect(bench.operations).toEqual(['logout'])
    expect(bench.stored).toEqual(['another'])
    expect(bench.time.pending()).toBe(0)
  })
})
