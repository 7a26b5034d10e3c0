import { OK, type Outcome } from '../../contract/failures.ts'
import type { HttpClient } from './http-client.ts'

/** The timeout for an address that the user has just typed. */
const TIMEOUT_MS = 10_000

/**
 * Succeeds if any server answers at this address. Only a sign-in can show whether that server is the service. SECURITY:
 * sends no credentials.
 */
export async function reach(http: Pick<HttpClient, 'send'>, baseAddress: string): Promise<Outcome> {
  const outcome = await http.send({
    operation: 'connect',
    method: 'GET',
    url: new URL(baseAddress),
    timeoutMs: TIMEOUT_MS,
  })
  return outcome.ok ? OK : outcome
}
