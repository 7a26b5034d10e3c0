import { createPrivateKey } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { Secret } from '../base/secret.ts'
import { readTlsFiles, type TlsPolicy } from './tls-files.ts'

const ours = selfSignedCertificate({ host: 'ours.test' })
const other = selfSignedCertificate({ host: 'other.test' })
const passphrase = new Secret('passphrase', 'open sesame')
const locked = createPrivateKey(ours.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'open sesame',
})

const FILES: { readonly [path: string]: string } = {
  '/ours.pem': ours.cert,
  '/half.pem': `${ours.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  '/empty.pem': '',
  '/other.pem': other.cert,
  '/theirs.pem': ours.cert,
  '/theirs.key': ours.key,
  '/ours.key': ours.key,
  '/locked.key': locked.toString(),
  '/broken.pfx': 'no PKCS #12',
}

const read = async (policy: TlsPolicy) =>
  readTlsFiles(policy, (path) => {
    const content = FILES[path]
    if (content === undefined) return { kind: 'missing' }
    return path.startsWith('/theirs.') ? { kind: 'unsafe' } : { kind: 'read', content: Buffer.from(content) }
  })

describe('the administrator’s authorities', () => {
  it.each([
    ['/none.pem', 'missing', 0],
    ['/empty.pem', 'damaged', 0, { kind: 'noCertificate' }],
    ['/half.pem', 'damaged', 1],
    ['/theirs.pem', 'unsafe', 0],
  ])(
    'include only what is usable, and a file with a problem is reported (%s: %s)',
    async (where, problem, good, defect?: object) => {
      const { added, problems } = await read({ caFiles: [where, '/ours.pem'] })
      expect(problems).toEqual([{ key: 'tls.caFiles', file: where, problem, ...(defect && { defect }) }])
      expect(added).toHaveLength(good + 1)
    },
  )
})

describe('the client certificate', () => {
  it('is read with its key, which is never printed', async () => {
    const clientCertificate = { certFile: '/ours.pem', keyFile: '/locked.key', passphrase }
    const { identity, problems } = await read({ clientCertificate })
    expect(problems).toEqual([])
    expect(identity).toMatchObject({ cert: ours.cert })
    expect(`${JSON.stringify(identity)}${inspect(identity, { depth: 9 })}`).not.toMatch(/PRIVATE KEY|sesame/)
  })

  const withCert = { certFile: '/ours.pem' }
  it.each<[NonNullable<TlsPolicy['clientCertificate']>, string, string, string?]>([
    [{ ...withCert, keyFile: '/ours.pem' }, '/ours.pem', 'damaged', 'key'],
    [{ certFile: '/other.pem', keyFile: '/ours.key' }, '/ours.key', 'damaged', 'key'],
    [{ certFile: '/empty.pem', keyFile: '/ours.key' }, '/empty.pem', 'damaged', 'noCertificate'],
    [{ pfxFile: '/broken.pfx', passphrase }, '/broken.pfx', 'damaged', 'pfx'],
  ])('is absent if one of its files is unusable: %j', async (clientCertificate, file, problem, kind) => {
    const material = await read({ clientCertificate })
    const defect = kind && { defect: { kind } }
    expect(material).toEqual({ added: [], problems: [{ key: 'tls.clientCertificate', file, problem, ...defect }] })
  })

  it('SECURITY: is absent if others can change its file', async () => {
    const file = '/theirs.key'
    const clientCertificate = { certFile: '/ours.pem', keyFile: file }
    const material = await read({ clientCertificate })
    expect(material).toEqual({ added: [], problems: [{ key: 'tls.clientCertificate', file, problem: 'unsafe' }] })
  })
})
