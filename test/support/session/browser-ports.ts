import { vi } from 'vitest'
import { OK } from '../../../contract/failures.ts'
import { DeadlineClock } from '../../../main/base/clock.ts'
import type { BrowserPorts } from '../../../main/session/grants/browser.ts'
import type { AuthorizationRequest, AuthorizationServer, CallbackListener } from '../../../main/session/ports.ts'
import { ManualTime } from '../manual-time.ts'
import { LOGIN } from './grant-contract.ts'

export const CALLBACK = new URLSearchParams('code=c&state=s')

export function browserPorts(login = LOGIN) {
  const time = new ManualTime()
  let settle = (_: URLSearchParams | undefined): void => {}
  const received = new Promise<URLSearchParams | undefined>((resolve) => {
    settle = resolve
  })
  const close = vi.fn(() => settle(undefined))
  const listener: CallbackListener = { redirectUri: 'http://127.0.0.1:4711/callback', received, show: () => {}, close }
  const authorization: AuthorizationRequest = {
    address: new URL('https://provider.example/authorize?state=s'),
    isOurs: (callback) => callback.get('state') === 's',
    redeem: vi.fn(async () => login),
  }
  const server = {
    issuer: 'https://provider.example',
    client: 'latchkey',
    authorize: vi.fn<AuthorizationServer['authorize']>(async () => ({ ok: true, value: authorization })),
    refresh: async () => LOGIN,
    revoke: async () => OK,
  }
  const ports = {
    listen: vi.fn<BrowserPorts['listen']>(async () => ({ ok: true, value: listener })),
    open: vi.fn<BrowserPorts['open']>(async () => OK),
    onReturn: vi.fn(),
    clock: new DeadlineClock(time),
  }
  return { server, ports, time, authorization, close, comeBack: (callback = CALLBACK) => settle(callback) }
}
