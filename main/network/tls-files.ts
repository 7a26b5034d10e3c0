import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Secret } from '../base/secret.ts'
import type { ClientIdentity } from '../service/transport.ts'
import { parseBundle } from './pem.ts'

export interface TlsPolicy {
  /** Files with the authorities to trust in addition to the system's, as PEM bundles or DER. */
  readonly caFiles?: readonly string[]
  readonly clientCertificate?:
    | { readonly certFile: string; readonly keyFile: string; readonly passphrase?: Secret | undefined }
    | { readonly pfxFile: string; readonly passphrase?: Secret | undefined }
}

/** Reads a file if only administrators can change it. */
export type ReadGuarded = (
  path: string,
) => { readonly kind: 'read'; readonly content: Uint8Array } | { readonly kind: 'missing' | 'unreadable' | 'unsafe' }

interface TlsMaterial {
  readonly added: readonly string[]
  readonly identity?: ClientIdentity
  /** `key` names the policy's setting. The intact certificates in a damaged file are still trusted. */
  readonly problems: readonly {
    readonly key: 'tls.caFiles' | 'tls.clientCertificate'
    readonly file: string
    readonly problem: 'missing' | 'unreadable' | 'unsafe' | 'damaged'
    readonly defect?: { readonly kind: 'noCertificate' | 'key' | 'pfx' }
  }[]
}

/**
 * Reads the files on each call, because certificates are replaced while programs run. SECURITY: whoever can write them
 * decides which servers are trusted, and which client certificate they get.
 */
export function readTlsFiles(policy: TlsPolicy, readGuarded: ReadGuarded): TlsMaterial {
  const problems: TlsMaterial['problems'][number][] = []
  type Key = TlsMaterial['problems'][number]['key']
  const readAs = (key: Key) => (file: string) => {
    const reading = readGuarded(file)
    if (reading.kind === 'read') return Buffer.from(reading.content)
    problems.push({ key, file, problem: reading.kind })
    return undefined
  }

  const added: string[] = []
  const key = 'tls.caFiles'
  for (const file of policy.caFiles ?? []) {
    const content = readAs(key)(file)
    if (content === undefined) continue
    const { certificates, dropped } = parseBundle(content)
    added.push(...certificates)
    if (dropped > 0) problems.push({ key, file, problem: 'damaged' })
    else if (certificates.length === 0)
      problems.push({ key, file, problem: 'damaged', defect: { kind: 'noCertificate' } })
  }

  const own = 'tls.clientCertificate'
  const identity = readIdentity(policy.clientCertificate, readAs(own), (file, kind) => {
    problems.push({ key: own, file, problem: 'damaged', defect: { kind } })
  })
  return { added, ...(identity && { identity }), problems }
}

function readIdentity(
  policy: TlsPolicy['clientCertificate'],
  read: (file: string) => Buffer | undefined,
  damaged: (file: string, kind: 'noCertificate' | 'key' | 'pfx') => void,
): ClientIdentity | undefined {
  if (policy === undefined) return undefined
  const { passphrase } = policy
  const phrase = passphrase && { passphrase }
  const revealed = passphrase && { passphrase: passphrase.reveal() }
  if ('pfxFile' in policy) {
    const pfx = read(policy.pfxFile)
    if (pfx === undefined) return undefined
    try {
      createSecureContext({ pfx, ...revealed })
    } catch {
      damaged(policy.pfxFile, 'pfx')
      return undefined
    }
    return { pfx: new Secret('client key', pfx.toString('base64')), ...phrase }
  }
  const [cert, key] = [read(policy.certFile), read(policy.keyFile)]
  if (cert === undefined || key === undefined) return undefined
  let leaf: X509Certificate
  try {
    leaf = new X509Certificate(cert)
  } catch {
    damaged(policy.certFile, 'noCertificate')
    return undefined
  }
  try {
    if (!leaf.checkPrivateKey(createPrivateKey({ key, ...revealed }))) throw new Error('the key of another certificate')
  } catch {
    damaged(policy.keyFile, 'key')
    return undefined
  }
  return { cert: cert.toString('latin1'), key: new Secret('client key', key.toString('latin1')), ...phrase }
}
