/**
 * No token. The message says why and what to do.
 *
 * `code` is the agent's own (`docs/agent.openapi.json`), such as `signed_out`, `turned_off` or
 * `unavailable`, or one of:
 *
 * - `not_running`: Latchkey isn't running.
 * - `not_reachable`: Latchkey is running and its agent doesn't answer, or whether it is running can't be told.
 * - `not_own`: the socket or pipe belongs to another user. Nothing was sent.
 * - `timeout`: no answer in time.
 * - `unexpected_answer`: the answer isn't the agent's.
 * - `foreign_host`: a request to a host that must not see the token. Nothing was sent.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
