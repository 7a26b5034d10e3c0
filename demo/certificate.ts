import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

interface CertificateOptions {
  /** The server's IPv4 address or DNS name; by default 127.0.0.1. */
  readonly host?: string
  readonly commonName?: string
  readonly organization?: string
  /** True if the certificate may sign others, as a self-signed one always may. */
  readonly isAuthority?: boolean
  /** By default a day ago. */
  readonly notBefore?: Date
  /** By default tomorrow. */
  readonly notAfter?: Date
}

export interface Identity {
  readonly key: string
  readonly cert: string
  /** In DER. */
  readonly subject: Buffer
}

const DAY_MS = 86_400_000
const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'
const SUBJECT_ALT_NAME = '551d11'
const BASIC_CONSTRAINTS = '551d13'

/** A certificate (RFC 5280) for a server on this machine. Only clients that know it as an authority trust it. */
export const selfSignedCertificate = (options: CertificateOptions = {}): Identity => issue(options)

export const signedCertificate = (signer: Identity, options: CertificateOptions = {}): Identity =>
  issue(options, signer)

function issue(options: CertificateOptions, signer?: Identity): Identity {
  const { host = '127.0.0.1', commonName = host, organization = '', isAuthority = signer === undefined } = options
  const { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + DAY_MS) } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = der(SEQUENCE, ...attribute(ORGANIZATION, organization), ...attribute(COMMON_NAME, commonName))
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA256))
  const alternative =
    isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
  const extensions = [
    extension(SUBJECT_ALT_NAME, der(SEQUENCE, alternative)),
    extension(BASIC_CONSTRAINTS, isAuthority ? der(SEQUENCE, der(0x01, Buffer.from([0xff]))) : der(SEQUENCE)),
  ]
  const toBeSigned = der(
    SEQUENCE,
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    signer?.subject ?? subject,
    der(SEQUENCE, time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  )
  const certificate = der(SEQUENCE, toBeSigned, algorithm, bits(sign('sha256', toBeSigned, signer?.key ?? privateKey)))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate), subject }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** An attribute of a name; none if the text is empty. */
const attribute = (id: string, text: string) =>
  text === '' ? [] : [der(SET, der(SEQUENCE, oid(id), der(0x0c, Buffer.from(text))))]
const integer = (value: Buffer) => der(0x02, value)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (value: Buffer) => der(0x03, Buffer.from([0]), value)
const extension = (id: string, value: Buffer) => der(SEQUENCE, oid(id), der(0x04, value))

/** UTCTime, `YYMMDDHHMMSSZ`: for the years 1950 to 2049. */
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`
