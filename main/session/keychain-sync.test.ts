import { describe, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { ENTRY, MINUTE, ModelDesktop, NAME, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { refreshToken } from '../base/secret.ts'
import { storedSession, writeEntry } from './entry.ts'

const token = (desktop: ModelDesktop) => desktop.entry?.refreshToken.reveal()
const newest = ({ service, program }: ModelDesktop, index = 0) => {
  const family = service.families[index]
  return family && service.newestOf(family, program)
}

/** From now on, logs each call to the keychain, and each change with the marker at that time. */
function logOf(desktop: ModelDesktop): string[] {
  const log: string[] = []
  desktop.store.refuses = (kind) => {
    log.push(kind)
    return false
  }
  desktop.store.onChange = () => log.push(`marked ${desktop.mark}`)
  return log
}

describe('reading', () => {
  it('is repeated at once if the keychain was unlocked during the read', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'seemsMissing'
    const starting = desktop.start()
    await Promise.resolve()
    desktop.store.mode = 'ok'
    await starting
    expect(desktop.states.map(({ kind }) => kind)).toEqual(['restoring', 'restoring', 'active'])
  })

  it.each(['{"version":3,"of":"a newer program"}', 'not JSON'])(
    'never leads to replacing or deleting another version’s entry, whatever the user does: %s',
    async (theirs) => {
      const desktop = new ModelDesktop()
      desktop.store.entries.set(ENTRY, theirs)
      desktop.marker.set(ENTRY, 'stored')
      await desktop.start()
      expect(desktop.state.kind).toBe('unknownVersion')
      await desktop.signIn('ana')
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
      await desktop.session.refresh()
      desktop.session.verifyEntry()
      await desktop.session.signOut()
      await desktop.pass(60 * MINUTE)
      expect(desktop.store.log).toEqual([])
      expect([desktop.store.entries.get(ENTRY), desktop.mark]).toEqual([theirs, 'stored'])
    },
  )
})

describe('storing a session', () => {
  it('sets the marker at once, even if the keychain hangs, and announces the session once the entry is written', async () => {
    const desktop = await startedDesktop()
    const log = logOf(desktop)
    desktop.store.mode = 'hangs'
    await desktop.signIn('ana')
    expect([desktop.mark, desktop.state.kind]).toEqual(['stored', 'signingIn'])
    // A refresh that is requested meanwhile sends nothing.
    const refreshed = desktop.session.refresh()
    desktop.store.mode = 'ok'
    expect(await refreshed).toEqual(OK)
    expect(desktop.service.log).toEqual(['login ana'])
    expect(log).toEqual(['write', 'marked stored'])
    expect(desktop.summary).toBe('active (keychain), ana, ana')
    desktop.store.mode = 'hangs'
    void desktop.session.signOut()
    expect(desktop.mark).toBe('signedOut')
  })

  it('retries a refused write, and then reports the session as stored', async () => {
    const desktop = await startedDesktop()
    desktop.store.mode = 'fails'
    await desktop.signIn('ana')
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('active (unsaved), ana, nothing')
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('active (keychain), ana, ana')
  })

  it('writes a new refresh token without reading the entry first, because KeePassXC may ask the user', async () => {
    const desktop = await startedDesktop('ana')
    const log = logOf(desktop)
    await desktop.session.refresh()
    expect(log).toEqual(['write', 'marked stored'])
  })

  it('never overwrites an entry that hasn’t been read', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.refuses = (kind) => kind === 'read'
    await desktop.restart()
    await desktop.signIn('ben')
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('active (unsaved), ana and ben, ana')
  })
})

it('replacing a session first removes the old one, then stores the new one with the old token to revoke', async () => {
  const desktop = await startedDesktop('ana')
  const before = token(desktop)
  desktop.answer({ logout: undefined })
  const written: unknown[] = []
  desktop.store.onChange = (_, __, after) => written.push([desktop.mark, /"username":"(\w+)"/.exec(after ?? '')?.[1]])
  await desktop.signIn('ben')
  expect(written).toEqual([
    ['signedOut', undefined],
    ['revoking', 'ben'],
  ])
  expect([desktop.entry?.username, desktop.pending]).toEqual(['ben', [before]])
  await desktop.reply()
  expect([desktop.entry?.username, desktop.pending, desktop.mark]).toEqual(['ben', [], 'stored'])
})

describe('verifying an entry that the keychain may have lost', () => {
  it('stores the entry again if it is missing, and writes nothing if it is there', async () => {
    const desktop = await startedDesktop('ana')
    const log = logOf(desktop)
    desktop.session.verifyEntry()
    await settle()
    expect(log).toEqual(['read'])
    desktop.store.entries.clear()
    desktop.session.verifyEntry()
    await settle()
    expect(desktop.summary).toBe('active (keychain), ana, ana')
  })

  it('reports the entry as unsaved while the keychain is locked, and reads the entry again later', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'locked'
    desktop.session.verifyEntry()
    await settle()
    expect(desktop.summary).toBe('active (unsaved), ana, ana')
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('active (keychain), ana, ana')
  })

  it('overwrites an older copy of the entry, without revoking the tokens in that copy', async () => {
    const desktop = await startedDesktop('ana')
    const session = storedSession({ grant: 'password', username: 'ana', issuer: NAME, refreshToken: 'older' })
    const revocations = [{ grant: 'password', issuer: NAME, refreshToken: refreshToken('revoked long ago') }]
    desktop.store.entries.set(ENTRY, writeEntry({ session, revocations }).reveal())
    desktop.session.verifyEntry()
    await desktop.pass(MINUTE)
    expect([token(desktop), desktop.pending, desktop.mark]).toEqual([newest(desktop), [], 'stored'])
    expect(desktop.service.log).toEqual(['login ana'])
  })

  it('waits for a write under way, even while the app quits', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    void desktop.session.refresh()
    await settle()
    desktop.session.verifyEntry()
    const stopping = desktop.session.stop()
    desktop.store.onChange = () => {
      desktop.store.onChange = () => {}
      queueMicrotask(() => desktop.store.entries.clear())
    }
    desktop.store.mode = 'ok'
    await stopping
    expect(token(desktop)).toBe(newest(desktop))
  })
})
