import { expect, it } from 'vitest'
import { Secret } from '../base/secret.ts'
import { LoginAttempts } from './login-attempts.ts'

const login = () => ({ username: 'ana', password: new Secret('proxy password', 'hush') })

it('SECURITY: only one request tries new credentials while the others wait, and refused ones aren’t tried again', async () => {
  const [attempts, kept] = [new LoginAttempts(), login()]
  const first = await attempts.begin(kept)
  const others = [1, 2, 3].map(() => attempts.begin(kept))
  first?.refused()
  expect(await Promise.all(others)).toEqual([undefined, undefined, undefined])
  expect(await attempts.begin(login())).toBeDefined()
})

it('requests use accepted credentials without waiting for each other', async () => {
  const [attempts, kept] = [new LoginAttempts(), login()]
  const first = await attempts.begin(kept)
  const other = attempts.begin(kept)
  first?.accepted()
  expect(await other).toBeDefined()
  expect(await Promise.all([1, 2].map(() => attempts.begin(kept)))).toEqual([expect.anything(), expect.anything()])
})

it('if a request that tries credentials gets no answer, only one of the waiting requests tries them next', async () => {
  const [attempts, kept] = [new LoginAttempts(), login()]
  const begun: number[] = []
  const first = await attempts.begin(kept)
  const begin = async (each: number) => {
    const attempt = await attempts.begin(kept)
    begun.push(each)
    return attempt
  }
  const [second] = [begin(1), begin(2)]
  first?.over()
  const attempt = await second
  expect(begun).toEqual([1])
  first?.over()
  attempt?.over()
  await expect.poll(() => begun).toEqual([1, 2])
})
