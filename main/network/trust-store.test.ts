import { expect, it } from 'vitest'
import type { SystemCertificates } from './system-certificates.ts'
import { type TrustOptions, TrustStore } from './trust-store.ts'

const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
const system = (...bodies: string[]): SystemCertificates => ({
  certificates: bodies.map(pem),
  dropped: 0,
  from: 'here',
})

function store(options: Partial<TrustOptions> = {}) {
  const reads: boolean[] = []
  const trust = new TrustStore({
    builtIn: () => [pem('BUILT')],
    system: async (again) => {
      reads.push(again)
      return again ? system('OLD', 'NEW') : system('OLD')
    },
    added: async () => [],
    ...options,
  })
  return { trust, reads }
}

it('trusts the built-in, the system’s and the administrator’s certificates, each once', async () => {
  const { trust } = store({
    system: async () => system('BUILT', 'OLD'),
    added: async () => [pem('OLD').replaceAll('\n', '\r\n'), pem('OURS')],
  })
  const { certificates, added } = await trust.get()
  expect(certificates.map((each) => each.split(/\r?\n/)[1])).toEqual(['BUILT', 'OLD', 'OURS'])
  expect(added).toBe(2)
})

it('reads the certificates once, and again after a server’s certificate wasn’t trusted', async () => {
  const { trust, reads } = store()
  await Promise.all([trust.get(), trust.get()])
  await trust.get()
  expect(reads).toEqual([false])
  trust.refresh()
  expect((await trust.get()).certificates).toContain(pem('NEW'))
  expect(reads).toEqual([false, true])
})

it('always trusts the built-in certificates', async () => {
  const broken = () => Promise.reject(new Error('no'))
  const { trust } = store({ system: broken, added: broken })
  expect(await trust.get()).toEqual({
    certificates: [pem('BUILT')],
    system: { from: 'nowhere', count: 0, dropped: 0 },
    added: 0,
  })
})
