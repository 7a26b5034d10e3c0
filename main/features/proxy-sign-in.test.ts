import { beforeEach, expect, it } from 'vitest'
import type { Failure, Outcome } from '../../contract/failures.ts'
import { Listeners } from '../base/listeners.ts'
import type { ProxyLogin } from '../network/proxy.ts'
import { ProxySignIn } from './proxy-sign-in.ts'

type Answered = Outcome<{ readonly details: Failure['details'] }>

const PROXY = 'proxy.test:3128'
const LOGIN = { proxy: PROXY, username: 'ana', password: 'hush' }
const asks = (details: Failure['details']) =>
  ({ ok: false, failure: { code: 'proxyAuthenticationRequired', ...(details && { details }) } }) as const
const STRANGER = { ok: false, failure: { code: 'invalidInput', details: { cause: 'stranger' } } }

let kept: [string, ProxyLogin][]
let saved: number
let requests: Listeners<Answered>
let signIn: ProxySignIn
beforeEach(() => {
  kept = []
  saved = 0
  const set = async (proxy: string, login: ProxyLogin) => {
    kept.push([proxy, login])
    return { ok: false, failure: { code: 'keychainUnavailable' } } as const
  }
  requests = new Listeners()
  const onSaved = () => void saved++
  signIn = new ProxySignIn({ onRequest: requests.subscribe, credentials: { set }, onSaved })
  signIn.start()
})

it('credentials for a proxy that asks for them, even again, are used at once, even if the keychain fails', async () => {
  requests.tell(asks({ proxy: PROXY, cause: 'proxy credentials refused' }))
  expect(await signIn.handlers.saveProxyCredentials(LOGIN)).toEqual({ ok: true, value: undefined })
  expect(kept).toMatchObject([[PROXY, { username: 'ana' }]])
  expect(kept[0]?.[1].password.reveal()).toBe('hush')
  expect(saved).toBe(1)
})

it.each<[string, (tell: (outcome: Answered) => void) => void]>([
  ['other than the one that asks', (tell) => tell(asks({ proxy: 'other.test:3128' }))],
  ['that wants Kerberos', (tell) => tell(asks({ proxy: PROXY, cause: 'unsupported proxy authentication Negotiate' }))],
  [
    'that has let a request through since',
    (tell) => {
      tell(asks({ proxy: PROXY }))
      tell({ ok: true, value: { details: { proxy: PROXY } } })
    },
  ],
])('SECURITY: the window can’t store a password for a proxy %s', async (_, before) => {
  before(requests.tell)
  expect(await signIn.handlers.saveProxyCredentials(LOGIN)).toEqual(STRANGER)
  expect([kept, saved]).toEqual([[], 0])
})
