import { expect, it } from 'vitest'
import { Secret } from '../session/secret.ts'
import { LoginTrials } from './login-trials.ts'

const login = () => ({ username: 'ana', password: new Secret('proxy password', 'hush') })

it('refused credentials are not tried again, but new ones are', async () => {
  const [trials, kept] = [new LoginTrials(), login()]
  const trial = await trials.begin(kept)
  trial?.refused()
  expect(await trials.begin(kept)).toBeUndefined()
  expect(await trials.begin(login())).toBeDefined()
})

it('SECURITY: only one request tries new credentials, and the others wait for the proxy’s answer', async () => {
  const [trials, kept] = [new LoginTrials(), login()]
  const first = await trials.begin(kept)
  const others = [1, 2, 3].map(() => trials.begin(kept))
  first?.refused()
  expect(await Promise.all(others)).toEqual([undefined, undefined, undefined])
})

it('accepted credentials are used without waiting', async () => {
  const [trials, kept] = [new LoginTrials(), login()]
  const first = await trials.begin(kept)
  const other = trials.begin(kept)
  first?.accepted()
  expect(await other).toBeDefined()
  expect(await Promise.all([1, 2].map(() => trials.begin(kept)))).toEqual([expect.anything(), expect.anything()])
})

it('a try that ends without an answer lets exactly one other request try', async () => {
  const [trials, kept] = [new LoginTrials(), login()]
  const begun: number[] = []
  const first = await trials.begin(kept)
  const begin = async (each: number) => {
    const trial = await trials.begin(kept)
    begun.push(each)
    return trial
  }
  const [second] = [begin(1), begin(2)]
  first?.over()
  const trial = await second
  expect(begun).toEqual([1])
  first?.over()
  trial?.over()
  await expect.poll(() => begun).toEqual([1, 2])
})
