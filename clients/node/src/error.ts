/**
 * The library has no token, or must not send it. The message says why and what to do.
 *
 * `code` is one of the agent's error codes (`docs/developers/agent.openapi.json`), such as `signed_out`, `turned_off`
 * or `unavailable`, or one of these:
 *
 * - `not_running`: Latchkey isn't running.
 * - `not_reachable`: Latchkey is running, or may be, but its agent doesn't answer.
 * - `not_own`: the socket or pipe belongs to another user. Nothing was sent.
 * - `timeout`: no answer in time.
 * - `unexpected_answer`: the answer doesn't have the agent's format.
 * - `foreign_host`: a request to a host that must not receive the token. Nothing was sent.
 * - `unencrypted`: a request without TLS that could go through a proxy. Nothing was sent.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
