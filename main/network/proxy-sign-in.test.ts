import { beforeEach, expect, it } from 'vitest'
import type { Failure } from '../../contract/failures.ts'
import type { ProxyLogin } from './proxy.ts'
import { ProxySignIn } from './proxy-sign-in.ts'

const PROXY = 'proxy.test:3128'
const LOGIN = { proxy: PROXY, username: 'ana', password: 'hush' }
const asks = (details: Failure['details']) =>
  ({ ok: false, failure: { code: 'proxyAuthenticationRequired', ...(details && { details }) } }) as const
const STRANGER = { ok: false, failure: { code: 'invalidInput', details: { cause: 'stranger' } } }

let kept: [string, ProxyLogin][]
let saved: number
let signIn: ProxySignIn
beforeEach(() => {
  kept = []
  saved = 0
  const set = async (proxy: string, login: ProxyLogin) => {
    kept.push([proxy, login])
    return { ok: false, failure: { code: 'keychainUnavailable' } } as const
  }
  signIn = new ProxySignIn({ credentials: async () => ({ set }), onSaved: () => void saved++ })
})

it('keeps what a person says to the proxy that asks, and has all go on, even without a keychain', async () => {
  signIn.note(asks({ proxy: PROXY }))
  expect(await signIn.save(LOGIN)).toEqual({ ok: true, value: undefined })
  expect(kept).toMatchObject([[PROXY, { username: 'ana' }]])
  expect(kept[0]?.[1].password.reveal()).toBe('hush')
  expect(saved).toBe(1)
})

it('a proxy that refuses what it was told asks again', async () => {
  signIn.note(asks({ proxy: PROXY, cause: 'proxy credentials refused' }))
  expect((await signIn.save(LOGIN)).ok).toBe(true)
})

it.each<[string, (signIn: ProxySignIn) => void]>([
  ['that nobody has met', () => {}],
  ['that is another than the one that asks', (each) => each.note(asks({ proxy: 'other.test:3128' }))],
  [
    'that wants Kerberos',
    (each) => each.note(asks({ proxy: PROXY, cause: 'unsupported proxy authentication Negotiate' })),
  ],
  [
    'that has let a request through since',
    (each) => {
      each.note(asks({ proxy: PROXY }))
      each.note({ ok: true, value: { details: { proxy: PROXY } } })
    },
  ],
  [
    'that only can’t be reached',
    (each) => each.note({ ok: false, failure: { code: 'unreachable', details: { proxy: PROXY } } }),
  ],
])('SECURITY: the window can’t have a password kept for a proxy %s', async (_, before) => {
  before(signIn)
  expect(await signIn.save(LOGIN)).toEqual(STRANGER)
  expect([kept, saved]).toEqual([[], 0])
})
