/** On a full disk, the entry's marker can't change. The next start restores the session from the keychain alone. */
import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { MINUTE, type ModelDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'

async function onFullDisk(username?: string): Promise<ModelDesktop> {
  const desktop = await startedDesktop(username)
  desktop.marker.isFull = true
  return desktop
}

async function recovers(desktop: ModelDesktop): Promise<void> {
  desktop.marker.isFull = false
  await desktop.pass(MINUTE)
}

it('a sign-out on a full disk works at once, reaches the service, and lasts after a restart', async () => {
  const desktop = await onFullDisk('ana')
  const done = desktop.session.signOut()
  expect([desktop.state.kind, desktop.session.accessToken]).toEqual(['signedOut', undefined])
  await done
  expect(desktop.summary).toBe('signedOut (done), nobody, revocations')
  await desktop.restart()
  expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
  await recovers(desktop)
  expect([desktop.store.entries.size, desktop.marker.marks.size]).toEqual([0, 0])
})

it('a sign-out on a full disk lasts if the program is killed after any change of the keychain', async () => {
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
    expect(desktop.summary).toMatch(/^signedOut .*, nobody/)
  }
})

it('a sign-out ends a session that has no marker, even if a locked keychain has hidden the session', async () => {
  const desktop = await onFullDisk()
  await desktop.signIn('ana')
  desktop.store.mode = 'seemsMissing'
  await desktop.restart()
  expect(desktop.summary).toBe('signedOut (none), ana, ana')
  desktop.store.mode = 'ok'
  await desktop.session.signOut()
  await desktop.restart()
  expect(desktop.summary).toMatch(/^signedOut .*, nobody/)
})

it('a sign-in on a full disk works, warns that the session may be lost, and is kept once there is room', async () => {
  const desktop = await onFullDisk()
  await desktop.signIn()
  expect([desktop.summary, desktop.session.hasValidToken]).toEqual(['active (unsaved), ana, ana', true])
  await recovers(desktop)
  expect([desktop.summary, desktop.mark]).toEqual(['active (keychain), ana, ana', 'stored'])
  await desktop.restart()
  expect(desktop.summary).toBe('active (keychain), ana, ana')
})

it('a sign-in isn’t stored while a stuck marker would make the next start revoke the session', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ refresh: 'unreachable', logout: 'unreachable' })
  await desktop.session.signOut()
  desktop.marker.isFull = true
  desktop.answer({})
  await desktop.signIn('ben')
  expect([desktop.state, desktop.entry]).toMatchObject([{ kind: 'active', kept: 'unsaved' }, undefined])
  await recovers(desktop)
  expect(desktop.summary).toBe('active (keychain), ben, ben')
})

it('a start on a full disk restores and refreshes the session, even if the settings have no marker for its entry', async () => {
  const desktop = await onFullDisk('ana')
  const before = desktop.entry?.refreshToken.reveal()
  await desktop.restart()
  expect(desktop.entry?.refreshToken.reveal()).not.toBe(before)
  expect(desktop.summary).toBe('active (keychain), ana, ana')
  desktop.marker.marks.clear()
  await desktop.restart()
  expect(desktop.summary).toBe('active (unsaved), ana, ana')
})

it('Latchkey tries to set the marker at each sign-in, sign-out and stop, and otherwise at most every 5 s', async () => {
  const desktop = await startedDesktop()
  let tries = 0
  const triesDuring = async (work: () => Promise<unknown>) => {
    const before = tries
    await work()
    return tries - before
  }
  desktop.marker.set = () => {
    tries += 1
    return false
  }
  expect(await triesDuring(() => desktop.signIn())).toBeGreaterThan(0)
  expect(await triesDuring(() => desktop.session.refresh())).toBe(0)
  const passing = await triesDuring(() => desktop.pass(MINUTE))
  expect([passing > 0, passing <= 12]).toEqual([true, true])
  expect(await triesDuring(() => desktop.session.signOut())).toBeGreaterThan(0)
  expect(await triesDuring(() => desktop.signIn('ben'))).toBeGreaterThan(0)
  expect(await triesDuring(() => desktop.session.stop())).toBe(1)
})
