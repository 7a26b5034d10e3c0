import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'
import { promisify } from 'node:util'
import type { Environment } from './environment.ts'
import { systemCertificates } from './system-certificates.ts'
import { readTlsFiles, type TlsFilePorts, type TlsPolicy } from './tls-files.ts'
import { TrustStore } from './trust-store.ts'

/** The time limit of an export. It only takes this long if its process hangs. */
const EXPORT_TIMEOUT = 20_000
const LARGEST_EXPORT = 32 * 1024 * 1024

async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: EXPORT_TIMEOUT, maxBuffer: LARGEST_EXPORT, windowsHide: true, encoding: 'latin1' } as const
  return (await promisify(execFile)(program, args, options)).stdout
}

export interface TrustPorts {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly policy: () => TlsPolicy
  readonly readGuarded: TlsFilePorts['readGuarded']
}

/**
 * The certificates that this desktop trusts, and the files that the policy names for TLS. Nothing is read before it is
 * needed.
 */
export function openTrust({ env, platform, policy, readGuarded }: TrustPorts) {
  const files = () => readTlsFiles(policy(), { readGuarded })
  const native = typeof tls.getCACertificates === 'function' && (() => tls.getCACertificates('system'))
  const system = { platform, env, run, readFile: (path: string) => readFile(path, 'latin1'), ...(native && { native }) }
  const store = new TrustStore({
    builtIn: () => tls.rootCertificates,
    system: (again) => systemCertificates(system, again),
    added: async () => files().added,
  })
  return { files, store }
}
