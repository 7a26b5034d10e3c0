import { X509Certificate } from 'node:crypto'
import { type CertificateBundle, parseBundle } from './pem.ts'

export interface SystemCertificatePorts {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Node's `tls.getCACertificates('system')`. It is absent before Node 22.15, and so in Electron 33. */
  readonly native?: () => readonly string[]
  readonly readFile: (path: string) => Promise<string>
  /** Resolves to the program's output. Rejects if the program can't be run or fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>
}

export interface SystemCertificates extends CertificateBundle {
  /** The source of the certificates: `Node`, a file, or the program that exported them. */
  readonly from: string
}

/** The first file that has certificates is used (Go, crypto/x509/root_linux.go). */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

// SECURITY: the login keychain is left out, because the user doesn't trust every certificate in it.
const KEYCHAINS = ['/System/Library/Keychains/SystemRootCertificates.keychain', '/Library/Keychains/System.keychain']

// Leaves out certificates that are distrusted or not meant for servers (id-kp-serverAuth, RFC 5280 section 4.2.1.12).
const EXPORT_STORES = `
$ErrorActionPreference = 'SilentlyContinue'
$never = @(Get-ChildItem Cert:\\LocalMachine\\Disallowed, Cert:\\CurrentUser\\Disallowed | ForEach-Object Thumbprint)
Get-ChildItem Cert:\\LocalMachine\\Root, Cert:\\CurrentUser\\Root, Cert:\\LocalMachine\\CA, Cert:\\CurrentUser\\CA |
  Where-Object { $never -notcontains $_.Thumbprint } |
  Where-Object { -not $_.EnhancedKeyUsageList -or $_.EnhancedKeyUsageList.ObjectId -contains '1.3.6.1.5.5.7.3.1' } |
  ForEach-Object {
    '-----BEGIN CERTIFICATE-----'
    [Convert]::ToBase64String($_.RawData, 'InsertLineBreaks')
    '-----END CERTIFICATE-----'
  }
`

const NOTHING: SystemCertificates = { certificates: [], dropped: 0, from: 'nowhere' }

/**
 * From Node's own list or, if that is empty, the system's files or tools. Node doesn't renew its list. So if a
 * certificate wasn't trusted (`isReread`), the files or tools are read as well, except on macOS.
 */
export async function systemCertificates(ports: SystemCertificatePorts, isReread = false): Promise<SystemCertificates> {
  const native = ports.native?.() ?? []
  // SECURITY: on macOS, exported certificates include those with the setting `Never Trust`, so they aren't added, and
  // a new certificate is only trusted after a restart.
  if (native.length > 0 && (!isReread || ports.platform === 'darwin'))
    return { certificates: native, dropped: 0, from: 'Node' }
  const asked = await askSystem(ports)
  if (native.length === 0) return asked
  return { ...asked, certificates: [...native, ...asked.certificates], from: `Node, ${asked.from}` }
}

async function askSystem({ platform, env, readFile, run }: SystemCertificatePorts): Promise<SystemCertificates> {
  const from = async (source: string, reading: Promise<string>): Promise<SystemCertificates> => {
    const text = await reading.catch(() => '')
    return text === '' ? NOTHING : { ...parseBundle(text), from: source }
  }
  // SECURITY: programs are run by their full path, so that PATH can't decide what is trusted.
  if (platform === 'darwin') {
    const all = await from('security', run('/usr/bin/security', ['find-certificate', '-a', '-p', ...KEYCHAINS]))
    return { ...all, certificates: all.certificates.filter((pem) => new X509Certificate(pem).ca) }
  }
  if (platform === 'win32') {
    const powershell = `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`
    return from('PowerShell', run(powershell, ['-NoProfile', '-NonInteractive', '-Command', EXPORT_STORES]))
  }
  // As in OpenSSL and Node (`--use-system-ca`), this variable replaces the system's bundle.
  const named = env['SSL_CERT_FILE']
  for (const file of named === undefined || named === '' ? BUNDLES : [named]) {
    const found = await from(file, readFile(file))
    if (found.certificates.length > 0) return found
  }
  return NOTHING
}
