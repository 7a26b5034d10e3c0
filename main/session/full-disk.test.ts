/**
 * On a full disk, the settings can't be written, so the marker of the keychain's entry can't change. Signing in and out
 * work nevertheless, and the next start restores the session from the keychain alone.
 */
import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { type ModelDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'

const MINUTE = 60_000

const familyOf = ({ service }: ModelDesktop, username: string) =>
  service.families.find((each) => each.username === username)

async function onFullDisk(username?: string): Promise<ModelDesktop> {
  const desktop = await startedDesktop(username)
  desktop.marker.isFull = true
  return desktop
}

async function recovers(desktop: ModelDesktop): Promise<void> {
  desktop.marker.isFull = false
  await desktop.pass(MINUTE)
}

describe('a sign-out on a full disk', () => {
  it('works at once, reaches the service, and lasts after a restart', async () => {
    const desktop = await onFullDisk('ana')
    const done = desktop.session.signOut()
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.session.accessToken).toBeUndefined()
    await done
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(familyOf(desktop, 'ana')?.isDead).toBe(true)
    await desktop.restart()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    await recovers(desktop)
    expect([desktop.store.entries.size, desktop.marker.marks.size]).toEqual([0, 0])
  })

  it('lasts if the program is killed after any change of the keychain', async () => {
    for (let step = 1, isOver = false; !isOver; step++) {
      const desktop = await onFullDisk('ana')
      let changes = 0
      desktop.store.onChange = () => {
        changes += 1
        if (changes === step) queueMicrotask(() => desktop.kill())
      }
      void desktop.session.signOut()
      await settle()
      isOver = changes < step
      desktop.kill()
      await desktop.start()
      expect(desktop.states.map(({ kind }) => kind)).not.toContain('active')
      expect(familyOf(desktop, 'ana')?.isDead).toBe(true)
    }
  })
})

it('a sign-out ends a session that has no marker, even if a locked keychain has hidden the session', async () => {
  const desktop = await onFullDisk()
  await desktop.signIn('ana')
  desktop.store.mode = 'seemsMissing'
  desktop.kill()
  await desktop.start()
  expect(desktop.state.kind).toBe('signedOut')
  desktop.store.mode = 'ok'
  await desktop.session.signOut()
  await desktop.restart()
  expect(desktop.state.kind).toBe('signedOut')
  expect(familyOf(desktop, 'ana')?.isDead).toBe(true)
})

describe('a sign-in on a full disk', () => {
  it('works, warns that the session may be lost, and is stored once there is room', async () => {
    const desktop = await onFullDisk()
    await desktop.signIn()
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unsaved' })
    expect(desktop.session.hasValidToken).toBe(true)
    await recovers(desktop)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
    expect(desktop.mark).toBe('stored')
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  it('isn’t stored while the marker says `signedOut`, because the next start would revoke the session', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.answering = () => 'unreachable'
    await desktop.session.signOut()
    desktop.marker.isFull = true
    desktop.service.answering = () => 'reply'
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unsaved' })
    expect(desktop.entry).toBeUndefined()
    await recovers(desktop)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
    expect(familyOf(desktop, 'ana')?.isDead).toBe(true)
    expect(familyOf(desktop, 'ben')?.isDead).toBe(false)
  })
})

it('a start on a full disk restores and refreshes the session, even if the settings have no marker for its entry', async () => {
  const desktop = await onFullDisk('ana')
  const before = desktop.entry?.refreshToken.reveal()
  await desktop.restart()
  expect(desktop.entry?.refreshToken.reveal()).not.toBe(before)
  expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  desktop.marker.marks.clear()
  await desktop.restart()
  expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unsaved' })
  expect(desktop.entry).toBeDefined()
})

it('Latchkey tries to set the marker at each sign-in, sign-out and stop, and otherwise at most every 5 s', async () => {
  const desktop = await startedDesktop()
  let tries = 0
  desktop.marker.set = () => {
    tries += 1
    return false
  }
  await desktop.signIn()
  const first = tries
  await desktop.session.refresh()
  await desktop.session.refresh()
  expect(tries).toBe(first)
  await desktop.pass(MINUTE)
  expect(tries).toBeGreaterThan(first)
  expect(tries).toBeLessThanOrEqual(first + 12)
  const before = tries
  await desktop.signIn('ben')
  expect(tries).toBeGreaterThan(before)
  const last = tries
  await desktop.session.stop()
  expect(tries).toBe(last + 1)
})
