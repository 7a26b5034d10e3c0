/** For tests only: a desktop with the keychain entries of version 1. */
import { expect } from 'vitest'
import { legacyRevocationsName, legacySessionName } from '../legacy-entries.ts'
import { Desktop, NAME } from './desktop.ts'

export const SESSION = legacySessionName(NAME)
export const REVOCATIONS = legacyRevocationsName(NAME)

/** Version 1 has stored the session of the user ana, and a session of the user ben that must still be revoked. */
export function left({
  mark = 'stored' as 'stored' | 'leaving' | 'none',
  hasRevocations = true,
  provider = false,
} = {}) {
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

export const isDead = ({ service }: Desktop, username: string) =>
  service.families.filter((each) => each.username === username).every((each) => each.isDead)

export function expectAdopted(desktop: Desktop, names: readonly string[]): void {
  expect([...desktop.store.entries.keys()]).toEqual(names)
  expect([...desktop.marker.marks.keys()]).toEqual(names)
}
