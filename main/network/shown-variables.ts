import { isIP } from 'node:net'
import path from 'node:path'
import { type Environment, withoutLogin } from './environment.ts'

interface ShownVariable {
  readonly name: string
  /** Absent if the value can't be parsed, because any part of it may then be a password. */
  readonly value?: string
}

const PATHS = ['latchkey_socket', 'node_extra_ca_certs', 'ssl_cert_file', 'ssl_cert_dir']
const PROXIES = ['https_proxy', 'http_proxy', 'all_proxy']

/** The variables that are set and affect the network or the agent's path. Credentials in their values are left out. */
export function shownVariables(env: Environment, platform: NodeJS.Platform): readonly ShownVariable[] {
  return Object.entries(env).flatMap(([name, text]) => {
    const known = name.toLowerCase()
    if (text === undefined || ![...PROXIES, ...PATHS, 'no_proxy'].includes(known)) return []
    const value = shown(known, text, platform)
    return [{ name, ...(value !== undefined && { value }) }]
  })
}

// SECURITY: a malformed value is not shown, because it may be or contain a password.
function shown(name: string, text: string, platform: NodeJS.Platform): string | undefined {
  if (PROXIES.includes(name)) return withoutLogin(text)
  if (name === 'no_proxy') return text.split(/[\s,]+/).every(isHostPattern) ? text : undefined
  const { isAbsolute } = platform === 'win32' ? path.win32 : path.posix
  return text === '' || isAbsolute(text) ? text : undefined
}

/** True for a host name, a domain, an IP address or a network, as `NO_PROXY` lists them. */
const isHostPattern = (pattern: string): boolean =>
  /^[\w.*-]*(?::\d{1,5})?$/.test(pattern) || isIP(pattern.replace(/\/\d{1,3}$/, '').replace(/^\[|\]$/g, '')) !== 0
