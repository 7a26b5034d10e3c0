import { OK, type Outcome } from '../../contract/failures.ts'
import type { HttpClient } from './http-client.ts'

/** The timeout for an address that the user has just typed. */
const TIMEOUT_MS = 10_000

/**
 * Succeeds if a server answers at this address, whatever it answers: only a sign-in shows whether it is the service.
 * SECURITY: sends no credentials.
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
