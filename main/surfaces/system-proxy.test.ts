import { expect, it } from 'vitest'
import { systemProxy } from './system-proxy.ts'

const ADDRESS = 'https://data.example.com/'

/** Fake sessions. `outcomes` determines whether reading the proxy settings succeeds. */
function sessions(...outcomes: boolean[]) {
  const done: string[] = []
  const fromPartition = (name: string) => ({
    setSpellCheckerLanguages: (languages: string[]) => void done.push(`languages ${languages}`),
    setSpellCheckerEnabled: (isEnabled: boolean) => void done.push(`spellcheck ${isEnabled}`),
    async forceReloadProxyConfig() {
      done.push(`read ${name}`)
      if (!outcomes.shift()) throw new Error('not now')
    },
    resolveProxy: async (address: string) => `PROXY for ${address}`,
  })
  return { done, fromPartition }
}

it('all requests share one reading of the proxy settings, which is repeated only after a failure', async () => {
  const { done, fromPartition } = sessions(false, true)
  const resolve = systemProxy({ fromPartition })
  const timesRead = () => done.filter((each) => each === 'read latchkey-proxy').length
  const both = await Promise.allSettled([resolve(ADDRESS), resolve(ADDRESS)])
  expect([both.map(({ status }) => status), timesRead()]).toEqual([['rejected', 'rejected'], 1])
  expect([await resolve(ADDRESS), await resolve(ADDRESS), timesRead()]).toEqual([
    `PROXY for ${ADDRESS}`,
    `PROXY for ${ADDRESS}`,
    2,
  ])
})

it('SECURITY: the session has no spell checker language, so Chromium downloads no dictionary', async () => {
  const { done, fromPartition } = sessions(true)
  await systemProxy({ fromPartition })(ADDRESS)
  expect(done).toEqual(['languages ', 'spellcheck false', 'read latchkey-proxy'])
})
