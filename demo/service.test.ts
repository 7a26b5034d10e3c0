import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { otherAddressesOf } from '../test/support/other-addresses.ts'
import { type DemoService, startDemoService } from './service.ts'
import { ANA } from './users.ts'

let service: DemoService
let time = Date.UTC(2030, 0, 1, 12)
afterEach(() => service.stop())

const start = async (grace: number) => {
  service = await startDemoService({ now: () => time, grace })
}
async function refreshTokenIn(path: string, init: RequestInit): Promise<string> {
  const answer = await fetch(service.address + path, init)
  return ((await answer.json()) as { refreshToken: string }).refreshToken
}
const signIn = () => {
  const headers = { Authorization: `Basic ${btoa(`${ANA.username}:${ANA.password}`)}` }
  return refreshTokenIn('/auth/login', { headers })
}
const refresh = (refreshToken: string) => {
  const headers = { 'Content-Type': 'application/json' }
  return refreshTokenIn('/auth/refresh', { method: 'POST', headers, body: JSON.stringify({ refreshToken }) })
}

test('without a grace period, reusing a refresh token revokes its whole family, and no other', async () => {
  await start(0)
  const bystander = await signIn()
  const first = await signIn()
  const third = await refresh(await refresh(first))
  expect(service.isRefreshTokenValid(third)).toBe(true)
  expect(await refresh(first)).toBeUndefined()
  expect(await refresh(third)).toBeUndefined()
  expect(await refresh(bystander)).toEqual(expect.any(String))
  expect([service.replayCount(first), service.replayCount(bystander)]).toEqual([1, 0])
})

test('reusing a refresh token yields tokens in the grace period, and later revokes its family', async () => {
  await start(30)
  const first = await signIn()
  const second = await refresh(first)
  time += 29_999
  expect(service.familyOf(await refresh(first))).toBe(service.familyOf(second))
  expect(service.isRefreshTokenValid(second)).toBe(true)
  time += 1
  expect(await refresh(first)).toBeUndefined()
  expect(service.isRefreshTokenValid(second)).toBe(false)
})

test('SECURITY: the service listens only on 127.0.0.1', async () => {
  await start(0)
  expect(await otherAddressesOf(service.port)).toEqual([])
})

test('a bug of the service is logged, and answered with 500', async () => {
  const bug = new Error('a bug')
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  service = await startDemoService({ now: vi.fn().mockThrow(bug) })
  expect((await fetch(service.address)).status).toBe(500)
  expect(log).toHaveBeenCalledWith(bug)
})
