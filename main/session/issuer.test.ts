import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { ENTRY, PROVIDER, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { refreshToken } from '../base/secret.ts'
import { writeEntry } from './entry.ts'
import { grantsByName } from './grants/grant.ts'

it('SECURITY: a refresh token goes only to its issuer, whatever the settings say', async () => {
  const desktop = await startedDesktop()
  await desktop.signIn('ana', 'passwordRealm')
  expect(desktop.entry?.issuer).toBe(PROVIDER)
  const before = desktop.sso.log.length
  desktop.provider = 'https://elsewhere.example'
  await desktop.restart()
  const failure = { code: 'sessionEnded', details: { cause: 'session of another issuer' } }
  expect(desktop.state).toMatchObject({ kind: 'signedOut', failure })
  expect(await desktop.session.refresh()).toMatchObject({ ok: false })
  expect(desktop.sso.log).toHaveLength(before)
  expect([desktop.entry?.issuer, desktop.mark]).toEqual([PROVIDER, 'stored'])

  desktop.provider = undefined
  await desktop.restart()
  expect(desktop.state.kind).toBe('active')

  desktop.provider = 'https://elsewhere.example'
  await desktop.restart()
  const { length } = desktop.sso.log
  await desktop.session.signOut()
  await settle()
  expect([desktop.entry, desktop.mark]).toEqual([undefined, undefined])
  expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'notPossible' })
  expect([desktop.sso.log.length, desktop.service.log]).toEqual([length, []])
})

it('SECURITY: a stored revocation is sent only to its issuer', async () => {
  const desktop = await startedDesktop()
  const revocation = { grant: 'password', issuer: 'https://elsewhere.example', refreshToken: refreshToken('theirs') }
  desktop.store.entries.set(ENTRY, writeEntry({ revocations: [revocation] }).reveal())
  desktop.marker.set(ENTRY, 'signedOut')
  await desktop.restart()
  await desktop.pass(60_000)
  expect(desktop.service.log).toEqual([])
})

it('a session of another client isn’t refreshed, and is revoked at the next sign-in', async () => {
  const desktop = await startedDesktop()
  let client = 'one'
  desktop.grants = (grants) => grantsByName([...grants.values()].map((grant) => ({ ...grant, client })))
  await desktop.restart()
  await desktop.signIn('ana')
  client = 'another'
  await desktop.restart()
  expect(desktop.state).toMatchObject({ failure: { details: { cause: 'session of another client' } } })
  await desktop.signIn('ben')
  expect(desktop.summary).toBe('active (keychain), ben, ben')
})
