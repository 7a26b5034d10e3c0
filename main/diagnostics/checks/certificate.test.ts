import { expect, test } from 'vitest'
import { problemOf } from './certificate.ts'

const certificate = (subject: string, validFrom: number, validTo: number) => ({
  subject,
  issuer: '',
  validFrom,
  validTo,
})
const chain = [certificate('leaf', 10, 90), certificate('between', 60, 90), certificate('root', 0, 20)]

test.each([
  ['CERT_HAS_EXPIRED', 50, 'ended', 'root'],
  ['CERT_HAS_EXPIRED', 95, 'ended', 'leaf'],
  ['CERT_NOT_YET_VALID', 50, 'early', 'between'],
  ['CERT_NOT_YET_VALID', 5, 'early', 'leaf'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 50, 'unknownIssuer', 'root'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 50, 'unknownIssuer', 'root'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 50, 'otherHost', 'leaf'],
  ['anything else', 50, 'other', 'leaf'],
])('the error %s at the time %d means %s, in the certificate %s', (code, now, kind, subject) => {
  expect(problemOf(chain, code, now)).toMatchObject({ kind, failing: { subject } })
})
