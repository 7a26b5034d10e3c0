/** What version 1 has left is adopted once, and removed. A crash at any step of that loses nothing. */
import { describe, expect, it } from 'vitest'
import { addressOfLegacy, legacyRevocationsName, legacySessionName } from './legacy-entries.ts'
import { Desktop, ENTRY, NAME } from './testing/desktop.ts'
import { settle } from './testing/hand-time.ts'
import type { KeychainMode } from './testing/model-store.ts'

const MINUTE = 60_000
const SESSION = legacySessionName(NAME)
const REVOCATIONS = legacyRevocationsName(NAME)

/** Version 1 has left a session of ana, and a session of ben that it had yet to revoke. */
function left({ mark = 'stored' as 'stored' | 'leaving' | 'none', hasRevocations = true, provider = false } = {}) {
  const desktop = new Desktop()
  const { service, sso, store, marker } = desktop
  const token = (provider ? sso : service).issue('ana')
  const kind = provider ? 'sso' : 'password'
  store.entries.set(SESSION, JSON.stringify({ version: 1, kind, username: 'ana', refreshToken: token }))
  if (mark !== 'none') marker.set(SESSION, mark)
  if (hasRevocations) {
    store.entries.set(REVOCATIONS, JSON.stringify({ version: 1, refreshTokens: [service.issue('ben')] }))
    marker.set(REVOCATIONS, 'stored')
  }
  return { desktop, token }
}

const isDead = ({ service }: Desktop, username: string) =>
  service.families.filter((each) => each.username === username).every((each) => each.isDead)

function expectAdopted(desktop: Desktop, names: readonly string[]): void {
  expect([...desktop.store.entries.keys()]).toEqual(names)
  expect([...desktop.marker.marks.keys()]).toEqual(names)
}

/** The program dies at the n-th step: a call to the keychain, its answer, or a change of the settings. */
function crashAt(desktop: Desktop, n: number): { readonly undo: () => void; readonly isReached: () => boolean } {
  const { store, marker } = desktop
  let count = 0
  let atDeath: Desktop['marker']['marks'] | undefined
  const reach = () => {
    count += 1
    if (count === n) atDeath = new Map(marker.marks)
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
    undo() {
      Object.assign(marker, { set, clear })
      Object.assign(store, { open })
      if (atDeath === undefined) return
      marker.marks.clear()
      for (const [name, mark] of atDeath) marker.marks.set(name, mark)
    },
  }
}

describe('a session of version 1', () => {
  it('goes on in the entry of this installation; what was pending is revoked; nothing of version 1 is left', async () => {
    const { desktop } = left()
    await desktop.start()
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain', account: { username: 'ana' } })
    expect(isDead(desktop, 'ben')).toBe(true)
    expectAdopted(desktop, [ENTRY])
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
    expect(desktop.service.violations).toEqual([])
  })

  it('of single sign-on goes on with the provider that was recorded', async () => {
    const { desktop } = left({ provider: true, hasRevocations: false })
    desktop.earlierProvider = desktop.sso.issuer
    await desktop.start()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { grant: { name: 'passwordRealm' } } })
    expectAdopted(desktop, [ENTRY])
  })

  it('that was signed out of is revoked, and never restored', async () => {
    const { desktop } = left({ mark: 'leaving' })
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(isDead(desktop, 'ana')).toBe(true)
    expectAdopted(desktop, [])
  })

  it('that was to be revoked is no session, whatever the marker says', async () => {
    const { desktop, token } = left({ hasRevocations: false })
    desktop.store.entries.set(REVOCATIONS, JSON.stringify({ version: 1, refreshTokens: [token] }))
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(isDead(desktop, 'ana')).toBe(true)
    expectAdopted(desktop, [])
  })

  it('that these settings don’t remember belongs to another installation, and is left alone', async () => {
    const { desktop } = left({ mark: 'none', hasRevocations: false })
    const before = new Map(desktop.store.entries)
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    await desktop.signIn('ben')
    await desktop.session.signOut()
    expect(desktop.store.entries).toEqual(before)
    expect(isDead(desktop, 'ana')).toBe(false)
  })

  it('is left alone if only what was pending is remembered', async () => {
    const { desktop } = left({ mark: 'none' })
    const entry = desktop.store.entries.get(SESSION)
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([false, true])
    expect([...desktop.store.entries]).toEqual([[SESSION, entry]])
  })

  it.each<KeychainMode>(['locked', 'fails', 'seemsMissing', 'hangs'])(
    'in a keychain that %s is waited for',
    async (mode) => {
      const { desktop } = left()
      desktop.store.mode = mode
      await desktop.start()
      await desktop.pass(10 * MINUTE)
      expect(desktop.state.kind).toBe('keychainLocked')
      desktop.store.mode = 'ok'
      await desktop.pass(2 * MINUTE)
      expect(desktop.state.kind).toBe('active')
      expectAdopted(desktop, [ENTRY])
    },
  )

  it('that was hidden when somebody signed in is revoked, and removed', async () => {
    const { desktop } = left({ hasRevocations: false })
    desktop.store.mode = 'locked'
    await desktop.start()
    await desktop.signIn('ben')
    desktop.store.mode = 'ok'
    await desktop.pass(2 * MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain', account: { username: 'ben' } })
    expect(isDead(desktop, 'ana')).toBe(true)
    expectAdopted(desktop, [ENTRY])
  })

  it('that can’t be removed at once is removed later, and never taken for a session again', async () => {
    const { desktop } = left({ hasRevocations: false })
    desktop.store.refuses = (kind, name) => kind === 'delete' && name !== ENTRY
    await desktop.start()
    expect(desktop.state.kind).toBe('active')
    await desktop.session.signOut()
    await desktop.restart()
    await desktop.pass(10 * MINUTE)
    expect(new Set(desktop.states.map(({ kind }) => kind))).toEqual(new Set(['restoring', 'signedOut']))
    expect([...desktop.store.entries.keys()]).toEqual([SESSION])
    desktop.store.refuses = () => false
    await desktop.restart()
    expectAdopted(desktop, [])
    expect(desktop.service.violations).toEqual([])
  })

  it.each(['garbage', '{"version":1}'])('that nobody can read is nothing: %s', async (text) => {
    const { desktop } = left()
    desktop.store.entries.set(SESSION, text)
    desktop.store.entries.set(REVOCATIONS, text)
    await desktop.start()
    expect(desktop.state.kind).toBe('keychainLocked')
    await desktop.signIn('ana')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
    expectAdopted(desktop, [ENTRY])
  })
})

it('a crash at any step of the adoption loses nothing: neither the session nor what was to be revoked', async () => {
  let steps = 0
  for (let isReached = true; isReached; ) {
    steps += 1
    const { desktop } = left()
    const crash = crashAt(desktop, steps)
    await desktop.start()
    isReached = crash.isReached()
    desktop.kill()
    crash.undo()
    await settle()
    await desktop.start()
    await desktop.pass(MINUTE)
    expect([steps, desktop.state.kind]).toEqual([steps, 'active'])
    expect([steps, isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([steps, false, true])
    expectAdopted(desktop, [ENTRY])
  }
  // Three reads, three writes, two deletions, each with its answer, and eight changes of the settings.
  expect(steps).toBeGreaterThan(20)
})

it('the marker of an entry of version 1 tells its address', () => {
  expect(addressOfLegacy(legacySessionName('https://data.example/base'))).toBe('https://data.example/base')
  expect(addressOfLegacy(legacyRevocationsName('https://data.example/base'))).toBe('https://data.example/base')
  expect(addressOfLegacy('https://data.example pending')).toBeUndefined()
  expect(addressOfLegacy(ENTRY)).toBeUndefined()
})
