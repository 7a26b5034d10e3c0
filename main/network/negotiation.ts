/** A failure's cause begins with this text, and `text/` has the translations. */
export type NegotiationProblem = 'no Kerberos ticket' | 'Kerberos refused' | 'no Kerberos library'

export class NegotiationError extends Error {
  readonly problem: NegotiationProblem

  constructor(problem: NegotiationProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

export interface Negotiation {
  /** Rejects with `NegotiationError`. `challenge` is the proxy's answer to the previous token. */
  next(challenge: Uint8Array | undefined): Promise<Uint8Array>
  end(): void
}

export type NegotiationScheme = 'Negotiate' | 'NTLM'
