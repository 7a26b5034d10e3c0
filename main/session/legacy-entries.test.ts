/** Latchkey adopts the entries of version 1: it copies their content into its current entry, and then removes them. */
import { describe, expect, it } from 'vitest'
import { addressOfLegacy, legacyRevocationsName, legacySessionName } from './legacy-entries.ts'
import { ENTRY } from './testing/desktop.ts'
import { expectAdopted, isDead, left, REVOCATIONS, SESSION } from './testing/legacy-desktop.ts'
import type { KeychainMode } from './testing/model-store.ts'

const MINUTE = 60_000

describe('a session of version 1', () => {
  it('continues in the current entry; the pending revocation is completed, and the old entries are removed', async () => {
    const { desktop } = left()
    await desktop.start()
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain', account: { username: 'ana' } })
    expect(isDead(desktop, 'ben')).toBe(true)
    expectAdopted(desktop, [ENTRY])
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
    expect(desktop.service.violations).toEqual([])
  })

  it('a single sign-on session continues with the provider that is recorded in the settings', async () => {
    const { desktop } = left({ provider: true, hasRevocations: false })
    desktop.earlierProvider = desktop.sso.issuer
    await desktop.start()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { grant: { name: 'passwordRealm' } } })
    expectAdopted(desktop, [ENTRY])
  })

  it('a session that was signed out is revoked, and never restored', async () => {
    const { desktop } = left({ mark: 'leaving' })
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(isDead(desktop, 'ana')).toBe(true)
    expectAdopted(desktop, [])
  })

  it('a session that was to be revoked is never restored, whatever the marker says', async () => {
    const { desktop, token } = left({ hasRevocations: false })
    desktop.store.entries.set(REVOCATIONS, JSON.stringify({ version: 1, refreshTokens: [token] }))
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(isDead(desktop, 'ana')).toBe(true)
    expectAdopted(desktop, [])
  })

  it('a session without a marker in these settings belongs to another installation, and stays unchanged', async () => {
    const { desktop } = left({ mark: 'none', hasRevocations: false })
    const before = new Map(desktop.store.entries)
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    await desktop.signIn('ben')
    await desktop.session.signOut()
    expect(desktop.store.entries).toEqual(before)
    expect(isDead(desktop, 'ana')).toBe(false)
  })

  it('stays unchanged if only the entry of pending revocations has a marker in the settings', async () => {
    const { desktop } = left({ mark: 'none' })
    const entry = desktop.store.entries.get(SESSION)
    await desktop.start()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect([isDead(desktop, 'ana'), isDead(desktop, 'ben')]).toEqual([false, true])
    expect([...desktop.store.entries]).toEqual([[SESSION, entry]])
  })

  it.each<KeychainMode>(['locked', 'fails', 'seemsMissing', 'hangs'])(
    'a session is read as soon as the keychain is available (keychain at first: %s)',
    async (mode) => {
      const { desktop } = left()
      desktop.store.mode = mode
      await desktop.start()
      await desktop.pass(10 * MINUTE)
      expect(desktop.state.kind).toBe('sessionUnread')
      desktop.store.mode = 'ok'
      await desktop.pass(2 * MINUTE)
      expect(desktop.state.kind).toBe('active')
      expectAdopted(desktop, [ENTRY])
    },
  )

  it('is revoked and removed if someone signs in while the keychain is locked', async () => {
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

  it('is kept if the first write of the new entry fails', async () => {
    const { desktop, token } = left({ hasRevocations: false })
    desktop.service.answering = () => 'unreachable'
    desktop.store.refuses = (kind) => kind === 'write'
    await desktop.start()
    desktop.store.refuses = () => false
    await desktop.pass(10 * MINUTE)
    expect(desktop.entry?.refreshToken.reveal()).toBe(token)
    expectAdopted(desktop, [ENTRY])
  })

  it('a session that can’t be removed immediately is removed later, and never restored', async () => {
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

  it.each(['garbage', '{"version":1}'])(
    'a session that can’t be parsed is removed after a sign-in: %s',
    async (text) => {
      const { desktop } = left()
      desktop.store.entries.set(SESSION, text)
      desktop.store.entries.set(REVOCATIONS, text)
      await desktop.start()
      expect(desktop.state.kind).toBe('sessionUnread')
      await desktop.signIn('ana')
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expectAdopted(desktop, [ENTRY])
    },
  )
})

it('the name of an entry of version 1 contains the address of the connection', () => {
  expect(addressOfLegacy(legacySessionName('https://data.example/base'))).toBe('https://data.example/base')
  expect(addressOfLegacy(legacyRevocationsName('https://data.example/base'))).toBe('https://data.example/base')
  expect(addressOfLegacy('https://data.example pending')).toBeUndefined()
  expect(addressOfLegacy(ENTRY)).toBeUndefined()
})
