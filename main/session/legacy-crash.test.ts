/**
 * Latchkey adopts the entries of version 1: it copies their content into its current entry, and then removes them. A
 * crash at any step loses nothing.
 */
import { describe, expect, it } from 'vitest'
import { type Desktop, ENTRY } from './testing/desktop.ts'
import { expectAdopted, isDead, left, REVOCATIONS, SESSION } from './testing/legacy-desktop.ts'
import { settle } from './testing/manual-time.ts'

const MINUTE = 60_000

/** Makes the program crash at step n. A step is a call to the keychain, its answer, or a change of the settings. */
function crashAt(desktop: Desktop, n: number) {
  const { store, marker } = desktop
  let count = 0
  let atDeath: Desktop['marker']['marks'] | undefined
  let last: string | undefined
  const reach = () => {
    count += 1
    if (count === n) {
      atDeath = new Map(marker.marks)
      last = desktop.states.at(-1)?.kind
    }
    return atDeath !== undefined
  }
  const never = new Promise<never>(() => {})
  const open = store.open
  store.open = (clock) => {
    const opened = open.call(store, clock)
    const around =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        reach() ? never : call.apply(opened, args).then((result) => (reach() ? never : result))
    return Object.assign(opened, {
      read: around(opened.read),
      write: around(opened.write),
      delete: around(opened.delete),
    })
  }
  const { set, clear } = marker
  marker.set = (...args) => {
    reach()
    set.apply(marker, args)
    reach()
  }
  marker.clear = (...args) => {
    reach()
    clear.apply(marker, args)
    reach()
  }
  return {
    isReached: () => atDeath !== undefined,
    /** The last state that the window showed. */
    last: () => last,
    wasMarked: () => atDeath?.has(ENTRY) === true,
    undo() {
      Object.assign(marker, { set, clear })
      Object.assign(store, { open })
      if (atDeath === undefined) return
      marker.marks.clear()
      for (const [name, mark] of atDeath) marker.marks.set(name, mark)
    },
  }
}

describe('a crash at any step of the adoption loses nothing', () => {
  interface Scenario {
    readonly make: () => Desktop
    /** The user's action after the program has started. */
    readonly act?: (desktop: Desktop) => Promise<void>
    /**
     * Checks the result. `wasSignedOut`: before a crash, the window showed that the user was signed out. `wasMarked`:
     * before a crash, the settings had the marker of a current entry.
     */
    readonly check: (desktop: Desktop, wasSignedOut: boolean, wasMarked: boolean) => void
    /** The scenario has at least this many steps. */
    readonly steps: number
  }
  const isActive = (desktop: Desktop) => {
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
    expectAdopted(desktop, [ENTRY])
  }
  const isSignedOut = (desktop: Desktop) => {
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.states.map(({ kind }) => kind)).toEqual(
      desktop.states.map((_, at) => (at ? 'signedOut' : 'restoring')),
    )
    expectAdopted(desktop, [])
  }
  const provided = (desktop: Desktop) => {
    desktop.earlierProvider = desktop.sso.issuer
    return desktop
  }
  const unmarkedPending = () => {
    const { desktop } = left({ mark: 'none' })
    desktop.store.entries.delete(SESSION)
    return desktop
  }

  const scenarios: Record<string, Scenario> = {
    'a session and a pending revocation': {
      make: () => left().desktop,
      check(desktop) {
        isActive(desktop)
        expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([false, true])
      },
      steps: 20,
    },
    'a session alone': {
      make: () => left({ hasRevocations: false }).desktop,
      check(desktop) {
        isActive(desktop)
        expect(isDead(desktop, 'ana')).toBe(false)
      },
      steps: 16,
    },
    'a single sign-on session': {
      make: () => provided(left({ provider: true, hasRevocations: false }).desktop),
      check: isActive,
      steps: 16,
    },
    'a pending revocation alone': {
      make: unmarkedPending,
      check(desktop) {
        isSignedOut(desktop)
        expect(isDead(desktop, 'ben')).toBe(true)
      },
      steps: 16,
    },
    'a session with a sign-out under way': {
      make: () => left({ mark: 'leaving' }).desktop,
      check(desktop) {
        isSignedOut(desktop)
        expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([true, true])
      },
      steps: 16,
    },
    'a session that was to be revoked': {
      make() {
        const { desktop, token } = left()
        desktop.store.entries.set(REVOCATIONS, JSON.stringify({ version: 1, refreshTokens: [token] }))
        return desktop
      },
      check(desktop) {
        isSignedOut(desktop)
        expect(isDead(desktop, 'ana')).toBe(true)
      },
      steps: 16,
    },
    'a session that the user signs out of': {
      make: () => left().desktop,
      act: async ({ session }) => void (await session.signOut()),
      check(desktop, wasSignedOut) {
        if (!wasSignedOut && desktop.state.kind === 'active') return isActive(desktop)
        isSignedOut(desktop)
        expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([true, true])
      },
      steps: 28,
    },
    'a single sign-on session that the user signs out of while it can’t be adopted': {
      make() {
        const desktop = provided(left({ provider: true, hasRevocations: false }).desktop)
        desktop.store.refuses = (kind) => kind !== 'read'
        return desktop
      },
      async act({ session, store }) {
        store.refuses = () => false
        await session.signOut()
      },
      check(desktop, wasSignedOut) {
        if (!wasSignedOut && desktop.state.kind === 'active') isActive(desktop)
        else isSignedOut(desktop)
      },
      steps: 16,
    },
    'a session that a new sign-in replaces': {
      make: () => left().desktop,
      act: (desktop) => desktop.signIn('cleo'),
      check(desktop) {
        if (desktop.state.kind === 'signedOut') isSignedOut(desktop)
        else isActive(desktop)
        const user = 'account' in desktop.state ? desktop.state.account.username : undefined
        expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([user !== 'ana', true])
        if (user === 'cleo') expect(isDead(desktop, 'cleo')).toBe(false)
      },
      steps: 30,
    },
  }

  for (const provider of [false, true]) {
    scenarios[`a hidden${provider ? ' single sign-on' : ''} session that a new sign-in replaces`] = {
      make() {
        const desktop = provided(left({ provider, hasRevocations: false }).desktop)
        desktop.store.mode = 'locked'
        return desktop
      },
      async act(desktop) {
        await desktop.signIn('cleo')
        desktop.store.mode = 'ok'
        await desktop.pass(MINUTE)
      },
      check(desktop, _, wasMarked) {
        // If a marked entry is missing, the keychain may be hiding it.
        if (desktop.state.kind === 'sessionUnread') return expect(desktop.marker.get(SESSION)).toBe('adopted')
        if (desktop.state.kind === 'signedOut') isSignedOut(desktop)
        else isActive(desktop)
        // Without a marker, the program crashed before it stored the new session, so that session is lost.
        if (!wasMarked) return
        if ('account' in desktop.state) expect(desktop.state.account.username).toBe('cleo')
        if (!provider) expect(isDead(desktop, 'ana')).toBe(true)
      },
      steps: 16,
    }
  }

  /**
   * For each step in `deaths`, starts the program and crashes it at that step. Then starts the program once more and
   * lets it run. Returns false if a run ended before its step was reached.
   */
  async function play({ make, act, check }: Scenario, deaths: readonly number[]): Promise<boolean> {
    const desktop = make()
    desktop.service.passwords.set('cleo', 'SECRET of cleo')
    let wasSignedOut = false
    let wasMarked = false
    for (const n of deaths) {
      const crash = crashAt(desktop, n)
      await desktop.start()
      void act?.(desktop)
      await settle()
      if (!crash.isReached()) return false
      wasSignedOut ||= crash.last() === 'signedOut'
      wasMarked ||= crash.wasMarked()
      desktop.kill()
      crash.undo()
      await settle()
    }
    desktop.store.refuses = () => false
    desktop.store.mode = 'ok'
    await desktop.start()
    await desktop.pass(MINUTE)
    check(desktop, wasSignedOut, wasMarked)
    return true
  }

  it.each(Object.entries(scenarios))('of %s', async (_, scenario) => {
    let n = 1
    while (await play(scenario, [n])) n += 1
    expect(n).toBeGreaterThan(scenario.steps)
  })

  it('not even if a second crash follows at any step of the next start', async () => {
    const scenario = scenarios['a session and a pending revocation']
    if (scenario === undefined) throw new Error('no such scenario')
    for (let first = 1; await play(scenario, [first]); first += 1) {
      for (let second = 1; await play(scenario, [first, second]); second += 1);
    }
  }, 60_000)
})
