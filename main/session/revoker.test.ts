import { describe, expect, it, vi } from 'vitest'
import { type Failure, OK } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { type Answer, ModelService, type Operation } from '../../test/support/session/model-service.ts'
import { ModelMarker, ModelStore } from '../../test/support/session/model-store.ts'
import { DeadlineClock } from '../base/clock.ts'
import { entryText, refreshToken } from '../base/secret.ts'
import { receive } from './access-token.ts'
import { entryName, readEntry } from './entry.ts'
import { grantsByName } from './grants/grant.ts'
import { createGrants } from './grants/grants.ts'
import { KeychainSync } from './keychain-sync.ts'
import { Revoker } from './revoker.ts'
import { newSession, type PendingRevocation, SessionRecord } from './session-record.ts'
import { PublishedState } from './state.ts'

const ADDRESS = 'https://data.example'
const GRANT = { description: GRANTS.password, issuer: ADDRESS }
const NAME = entryName(ADDRESS, 'here')
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A revoker whose service and keychain survive a restart. */
class Bench {
  readonly time = new ManualTime()
  readonly clock = new DeadlineClock(this.time)
  readonly service = new ModelService({ now: () => this.time.trueTime })
  readonly store = new ModelStore()
  readonly marker = new ModelMarker()
  readonly client = this.service.client({ id: 1, clock: this.clock, isAlive: () => true })
  record = new SessionRecord(this.clock)
  /** The value of `revocation` in each state; for a pending revocation that has failed, the failure. */
  told: (string | Failure)[] = []
  state = this.#stateOf()
  keychainSync = this.#keychainOf()
  closing = new AbortController()
  revoker = this.revokerOf()

  /** Starts a revoker with the same keychain. */
  async open(): Promise<Revoker> {
    this.record = new SessionRecord(this.clock)
    this.state = this.#stateOf()
    this.keychainSync = this.#keychainOf()
    this.revoker = this.revokerOf()
    await this.load()
    return this.revoker
  }

  async load(): Promise<void> {
    await this.keychainSync.start({
      found: (_, { revocations }) => {
        this.record.decide()
        for (const each of revocations) this.record.revoke(each)
      },
      failed: () => {},
      synced: () => this.revoker.tell(),
    })
  }

  #stateOf(): PublishedState {
    const state = new PublishedState()
    state.dispatch({ type: 'nothingStored', revocation: 'pending' })
    state.subscribe((now) => {
      if (now.kind !== 'signedOut') return
      this.told.push((now.revocation === 'pending' && now.revocationFailure) || now.revocation)
    })
    return state
  }

  #keychainOf(): KeychainSync {
    const { clock, marker, record } = this
    const store = this.store.open(clock)
    const { signal } = new AbortController()
    return new KeychainSync({ name: NAME, store, marker, clock, random: () => 0.5, record, signal })
  }

  revokerOf(
    grants = createGrants({
      service: this.service.client({ id: Math.random(), clock: this.clock, isAlive: () => true }),
    }),
  ): Revoker {
    const { clock, record, keychainSync, state } = this
    this.closing = new AbortController()
    const { signal } = this.closing
    return new Revoker({ grants, clock, random: () => 0.5, record, keychainSync, state, signal })
  }

  async signedIn(username = 'ana'): Promise<PendingRevocation> {
    const issued = await this.client.login({
      username,
      password: { reveal: () => this.service.passwords.get(username) } as never,
    })
    if (!issued.ok) throw new Error('not signed in')
    const { refreshToken: token, accessToken, expiresAt } = receive(issued.value, this.clock)
    if (token === undefined) throw new Error('no refresh token')
    return { grant: 'password', issuer: ADDRESS, refreshToken: token, accessToken, expiresAt }
  }

  /** Resolves once the keychain has the token. */
  async add(revocation: PendingRevocation): Promise<void> {
    const added = this.revoker.add(revocation)
    this.state.dispatch({ type: 'revocationChanged', revocation: added })
    await this.keychainSync.sync()
  }

  answer(answers: Partial<Record<Operation, Answer | undefined>>): void {
    this.service.answering = ({ operation }) => (operation in answers ? answers[operation] : 'reply')
  }

  get operations(): readonly (string | undefined)[] {
    return this.service.log.map((line) => line.split(' ')[0]).filter((each) => each !== 'login')
  }

  get isEmpty(): boolean {
    return this.record.revocations.length === 0
  }

  get stored(): readonly string[] | undefined {
    const text = this.store.entries.get(NAME)
    const read = text === undefined ? undefined : readEntry(entryText(text))
    return read?.kind === 'entry' ? read.entry.revocations.map((each) => each.refreshToken.reveal()) : undefined
  }

  dead(n: number): boolean | undefined {
    return this.service.families[n]?.isDead
  }
}

const opened = async () => {
  const bench = new Bench()
  await bench.load()
  bench.told = []
  return bench
}

describe('a revocation', () => {
  it('is stored before it is sent, and removed when it is done', async () => {
    const bench = await opened()
    const revocation = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.add(revocation)
    void bench.revoker.run()
    await settle()
    expect(bench.stored).toEqual([revocation.refreshToken.reveal()])
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect(bench.dead(0)).toBe(true)
    expect(bench.stored).toBeUndefined()
    expect(bench.told.filter((each) => each === 'done')).toHaveLength(1)
    expect(bench.time.pending()).toBe(0)
  })

  it('refreshes first if there is no access token, and stores the new refresh token before it is revoked', async () => {
    const bench = await opened()
    const { refreshToken: token } = await bench.signedIn()
    bench.answer({ logout: undefined })
    await bench.add({ grant: 'password', issuer: ADDRESS, refreshToken: token })
    void bench.revoker.run()
    await settle()
    expect(bench.operations).toEqual(['refresh', 'logout'])
    expect(bench.stored).toEqual([bench.service.pending[0]?.sent])
    expect(bench.stored).not.toEqual([token.reveal()])
  })

  it('is retried with a fresh access token if it is refused, and given up after three refusals', async () => {
    const bench = await opened()
    bench.answer({ logout: 'refuse' })
    await bench.add(await bench.signedIn())
    await bench.revoker.run()
    expect(bench.operations).toEqual(['logout', 'refresh', 'logout'])
    await bench.revoker.run()
    expect(bench.isEmpty).toBe(false)
    await bench.revoker.run()
    expect(bench.isEmpty).toBe(true)
    expect(bench.told.at(-1)).toBe('refused')
  })

  it.each(['unreachable', 'loseReply', { retryAfter: 1 }] as const)(
    'a revocation that fails (%s) is retried until it is done',
    async (failure) => {
      const bench = await opened()
      bench.answer({ logout: failure, refresh: failure })
      await bench.add(await bench.signedIn())
      await bench.revoker.run()
      expect(bench.isEmpty).toBe(false)
      await bench.time.passSettling(HOUR)
      bench.answer({})
      await bench.time.passSettling(10 * MINUTE)
      expect(bench.isEmpty).toBe(true)
      expect(bench.dead(0)).toBe(true)
      expect(bench.told.filter((each) => each === 'done')).toHaveLength(1)
    },
  )

  it.each([
    ['noMetadata', 5 * SECOND],
    ['portal', 2 * MINUTE],
    ['page', 2 * MINUTE],
  ] as const)('is retried while the metadata is missing or another server responds: %s', async (answer, away) => {
    const bench = await opened()
    bench.answer({ logout: answer })
    await bench.add(await bench.signedIn())
    await bench.revoker.run()
    await bench.time.passSettling(away)
    expect(bench.stored).toHaveLength(1)
    bench.answer({})
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.dead(0)).toBe(true)
    expect(bench.told.at(-1)).toBe('done')
  })

  it.each([
    ['noMetadata', 'notPossible', MINUTE],
    ['portal', 'notPossible', 4 * HOUR],
    ['page', 'refused', 4 * HOUR],
  ] as const)('if the issuer’s response is %s for a long time, ends as %s', async (answer, told, wait) => {
    const bench = await opened()
    bench.answer({ logout: answer })
    await bench.add(await bench.signedIn())
    await bench.revoker.run()
    await bench.time.passSettling(wait)
    expect(bench.isEmpty).toBe(true)
    expect(bench.stored).toBeUndefined()
    expect(bench.told.at(-1)).toBe(told)
    expect(bench.time.pending()).toBe(0)
  })

  it('needs no refresh if its grant revokes without an access token', async () => {
    const bench = await opened()
    const { refreshToken: token, issuer } = await bench.signedIn()
    const [refresh, revoke] = [vi.fn(), vi.fn(async () => OK)]
    const browser = { description: GRANTS.browser, issuer, begin: vi.fn(), refresh, revoke }
    const revoker = bench.revokerOf(grantsByName([browser]))
    expect(revoker.add({ grant: 'browser', issuer, refreshToken: token })).toBe('pending')
    await revoker.run()
    expect(revoke.mock.calls).toEqual([[undefined, token]])
    expect(refresh).not.toHaveBeenCalled()
    expect(bench.isEmpty).toBe(true)
  })

  it('respects Retry-After, even on wake', async () => {
    const bench = await opened()
    bench.answer({ logout: { retryAfter: 600 } })
    await bench.add(await bench.signedIn())
    await bench.revoker.run()
    bench.answer({})
    await bench.time.passSettling(599 * SECOND)
    bench.revoker.wake()
    await settle()
    expect(bench.operations).toEqual(['logout'])
    await bench.time.passSettling(2 * SECOND)
    expect(bench.dead(0)).toBe(true)
  })

  it('is retried at once on wake after a failure without Retry-After', async () => {
    const bench = await opened()
    bench.answer({ logout: 'unreachable' })
    await bench.add(await bench.signedIn())
    await bench.revoker.run()
    bench.answer({})
    bench.revoker.wake()
    await settle()
    expect(bench.dead(0)).toBe(true)
  })

  it('waits during a sign-in, because a service may issue the same token again', async () => {
    const bench = await opened()
    const revocation = await bench.signedIn()
    bench.state.dispatch({ type: 'signInStarted' })
    await bench.add(revocation)
    void bench.revoker.run()
    await bench.time.passSettling(MINUTE)
    expect(bench.operations).toEqual([])
    expect(bench.stored).toEqual([revocation.refreshToken.reveal()])
    bench.state.dispatch({ type: 'signInFailed' })
    await bench.time.passSettling(10 * MINUTE)
    expect(bench.dead(0)).toBe(true)
  })

  it('isn’t made for the token that the session uses', async () => {
    const bench = await opened()
    const revocation = await bench.signedIn()
    const session = { ...newSession(GRANT, 'ana'), refreshToken: revocation.refreshToken }
    bench.record.replace(session)
    expect(bench.revoker.add(revocation)).toBe('none')
    await bench.revoker.run()
    expect(bench.operations).toEqual([])
  })

  it('SECURITY: a token to revoke is sent only to its issuer', async () => {
    const bench = await opened()
    const revocation = await bench.signedIn()
    expect(bench.revoker.add({ ...revocation, issuer: 'https://elsewhere.example' })).toBe('notPossible')
    expect(bench.revoker.add({ ...revocation, grant: 'passwordRealm' })).toBe('notPossible')
    // Adds a revocation, as if the settings of another run had named another issuer.
    bench.record.revoke({ ...revocation, issuer: 'https://elsewhere.example' })
    await bench.revoker.run()
    expect(bench.operations).toEqual([])
    expect(bench.time.pending()).toBe(0)
  })
})

describe('the list of revocations', () => {
  it('is continued at the next start', async () => {
    const bench = await opened()
    bench.answer({ logout: 'unreachable' })
    await bench.add(await bench.signedIn('ana'))
    await bench.add(await bench.signedIn('ben'))
    bench.closing.abort()
    await bench.revoker.idle()
    bench.answer({})
    const next = await bench.open()
    bench.told = []
    await next.run()
    expect([bench.dead(0), bench.dead(1)]).toEqual([true, true])
    expect(bench.stored).toBeUndefined()
    expect(bench.told.filter((each) => each === 'done')).toHaveLength(1)
  })

  it('contains each token once', async () => {
    const bench = await opened()
    const revocation = await bench.signedIn()
    await Promise.all([bench.add(revocation), bench.add(revocation)])
    await bench.revoker.run()
    expect(bench.operations).toEqual(['logout'])
  })

  it('is worked through to the end, even if a token is added during the work', async () => {
    const bench = await opened()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    bench.answer({ logout: undefined })
    await bench.add(ana)
    void bench.revoker.run()
    await settle()
    await bench.add(ben)
    bench.answer({})
    bench.service.pending[0]?.answer('reply')
    await settle()
    expect([bench.dead(0), bench.dead(1)]).toEqual([true, true])
  })

  it('goes on with the next token if one fails', async () => {
    const bench = await opened()
    const [ana, ben] = [await bench.signedIn('ana'), await bench.signedIn('ben')]
    bench.service.answering = ({ sent }) => (sent === ana.refreshToken.reveal() ? 'unreachable' : 'reply')
    await bench.add(ana)
    await bench.add(ben)
    await bench.revoker.run()
    expect([bench.dead(0), bench.dead(1)]).toEqual([false, true])
    expect(bench.stored).toEqual([ana.refreshToken.reveal()])
  })

  it('starts no work while it is empty', async () => {
    const bench = await opened()
    await bench.revoker.run()
    expect(bench.time.pending()).toBe(0)
    expect(bench.store.log).toEqual([])
    expect(bench.told).toEqual([])
  })

  it('isn’t continued when the app stops, but the request under way is awaited', async () => {
    const bench = await opened()
    await bench.add(await bench.signedIn('ana'))
    await bench.add({ grant: 'password', issuer: ADDRESS, refreshToken: refreshToken('another') })
    bench.answer({ logout: undefined })
    void bench.revoker.run()
    await settle()
    bench.closing.abort()
    const stopped = bench.revoker.idle()
    bench.service.pending[0]?.answer('reply')
    await stopped
    expect(bench.operations).toEqual(['logout'])
    expect(bench.stored).toEqual(['another'])
    expect(bench.time.pending()).toBe(0)
  })
})
