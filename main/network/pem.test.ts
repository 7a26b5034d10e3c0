import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { parseBundle } from './pem.ts'

const [first, second] = [selfSignedCertificate().cert, selfSignedCertificate().cert]
const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const serials = (pems: readonly string[]) => pems.map((pem) => new X509Certificate(pem).serialNumber)

it('each certificate of a bundle is returned once, and other text is skipped', () => {
  const text = `# Our authority\r\n${first.replaceAll('\n', '\r\n')}\n\nSubject: other\n${second}${first}`
  const { certificates, dropped } = parseBundle(text)
  expect(serials(certificates)).toEqual(serials([first, second]))
  expect(dropped).toBe(0)
})

it.each([
  ['a certificate in broken Base64', BROKEN],
  ['a certificate without an end line', first.replace(/-----END.*/, '')],
])('%s is dropped and counted, and the other certificates are kept', (_name, bad) => {
  expect(parseBundle(`${bad}\n${second}`)).toMatchObject({ dropped: 1, certificates: [expect.any(String)] })
})

it('a DER file is read as one certificate', () => {
  const { raw } = new X509Certificate(first)
  expect(serials(parseBundle(raw).certificates)).toEqual(serials([first]))
  expect(parseBundle(raw.subarray(0, 50))).toEqual({ certificates: [], dropped: 1 })
})
