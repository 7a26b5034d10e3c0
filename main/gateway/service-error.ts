import { isUntrusted } from '../network/kept-agent.ts'
import { ProxyRefusal, proxyErrorOf } from '../service/exchange-error.ts'
import type { Refusal } from './refusals.ts'

const AWAY = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['EHOSTDOWN', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'connect timeout'],
])

/**
 * The refusal that the tool gets for a failed request. SECURITY: the error itself contains the token, so it isn't
 * passed on.
 */
export function refusalOf(error: unknown): Refusal {
  const proxyError = proxyErrorOf(error)
  if (proxyError !== undefined) return proxyError instanceof ProxyRefusal ? 'proxy' : 'unreachable'
  if (isUntrusted(error)) return 'untrusted'
  const { code }: { code?: unknown } = error instanceof AggregateError ? (error.errors[0] ?? {}) : (error ?? {})
  if (typeof code !== 'string') return 'badAnswer'
  return AWAY.has(code) ? 'unreachable' : 'badAnswer'
}
