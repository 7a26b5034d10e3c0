import { beforeEach, expect, it, vi } from 'vitest'
import { type Failure, fail, type Outcome } from '../../contract/failures.ts'
import { Listeners } from '../base/listeners.ts'
import type { ProxyLogin } from '../network/proxy.ts'
import { ProxySignIn } from './proxy-sign-in.ts'

type Answered = Outcome<{ readonly details: Failure['details'] }>

const PROXY = 'proxy.test:3128'
const LOGIN = { proxy: PROXY, username: 'ana', password: 'hush' }
const asks = (details: NonNullable<Failure['details']>) => fail({ code: 'proxyAuthenticationRequired', details })
const STRANGER = fail({ code: 'invalidInput', details: { cause: 'stranger' } })

const set = vi.fn(async (_proxy: string, _login: ProxyLogin) => fail({ code: 'keychainUnavailable' }))
const onSaved = vi.fn()
let requests: Listeners<Answered>
let signIn: ProxySignIn
beforeEach(() => {
  vi.clearAllMocks()
  requests = new Listeners()
  signIn = new ProxySignIn({ onRequest: requests.subscribe, credentials: { set }, onSaved })
  signIn.start()
})

it('credentials for a proxy that asks for them, even again, are used at once, even if the keychain fails', async () => {
  requests.tell(asks({ proxy: PROXY, cause: 'proxy credentials refused' }))
  expect(await signIn.handlers.saveProxyCredentials(LOGIN)).toEqual({ ok: true, value: undefined })
  expect(set).toHaveBeenCalledWith(PROXY, { username: 'ana', password: expect.anything() })
  expect(set.mock.lastCall?.[1].password.reveal()).toBe('hush')
  expect(onSaved).toHaveBeenCalledOnce()
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
  expect(set).not.toHaveBeenCalled()
  expect(onSaved).not.toHaveBeenCalled()
})
