export type AddressProblem = 'notAnAddress' | 'notHttps' | 'hasCredentials' | 'hasQuery'

export type AddressResult =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: AddressProblem }

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Normalises a base address. The scheme becomes https if it is missing; http is allowed only for loopback addresses.
 * Credentials, a query and a fragment are refused, a path is kept, and slashes at the end are removed. Different
 * spellings become the same string, which names the keychain entry.
 */
export function normaliseBaseAddress(text: string): AddressResult {
  const trimmed = text.trim()
  const url = parse(trimmed.includes('://') ? trimmed : `https://${trimmed}`)
  if (url === undefined || url.hostname === '' || /\s|^\\/.test(trimmed)) return { ok: false, problem: 'notAnAddress' }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    return { ok: false, problem: url.protocol === 'http:' ? 'notHttps' : 'notAnAddress' }
  }
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'hasCredentials' }
  if (/[?#]/.test(trimmed)) return { ok: false, problem: 'hasQuery' }
  return { ok: true, value: `${url.protocol}//${url.host}${withoutEndSlashes(url.pathname)}` }
}

// SECURITY: this is a loop, because a regular expression would take quadratic time if the path contains many slashes.
function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The address for display: the host, the port unless it is the default one, and the path. */
export function hostOf(baseAddress: string): string {
  const url = new URL(baseAddress)
  return `${url.host}${url.pathname === '/' ? '' : url.pathname}`
}
