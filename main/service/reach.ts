import { OK, type Outcome } from '../../contract/failures.ts'
import type { HttpClient } from './http-client.ts'

/** No one waits longer for an address that they have just typed. */
const TIMEOUT_MS = 10_000

/**
 * Whether something answers at this address, whatever it says: only a sign-in shows that it is the service.
 * SECURITY: sends no credentials.
 */
export async function reach(http: Pick<HttpClient, 'send'>, baseAddress: string): Promise<Outcome> {
  const outcome = await http.send({
    operation: 'connect',
    method: 'GET',
    url: new URL(baseAddress),
    patience: TIMEOUT_MS,
  })
  return outcome.ok ? OK : outcome
}
