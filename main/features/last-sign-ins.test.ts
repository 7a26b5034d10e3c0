import { expect, it, vi } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { LastSignIns } from './last-sign-ins.ts'

it.each([
  ['the username that the user typed', GRANTS.passwordRealm, 'ana'],
  ['no username after a sign-in in the browser, where the name may be an id', GRANTS.browser, ''],
])('a sign-in stores %s', (_, grant, username) => {
  const account = { username: 'ana', displayName: 'Ana Duarte', grant }
  const accounts = [{ name: 'default', address: 'https://data.example.com', account }]
  const subscribe = vi.fn()
  const set = vi.fn()
  new LastSignIns({
    connections: { shown: 'default', accounts, subscribe },
    stored: { get: () => undefined, set },
    changed: () => {},
  }).start()
  subscribe.mock.lastCall?.[0]()
  expect(set).toHaveBeenCalledWith({ 'https://data.example.com': { username, grant: grant.name } })
})
