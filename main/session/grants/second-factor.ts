/** After the password, the user chooses an authenticator and confirms the sign-in with it. */
import { assertNever } from '../../../contract/assert-never.ts'
import type { Authenticator } from '../../../contract/challenges.ts'
import type { Failure, FailureCode } from '../../../contract/failures.ts'
import type { Clock } from '../../base/clock.ts'
import { Secret } from '../../base/secret.ts'
import { unlessAborted } from '../../base/waits.ts'
import type {
  FactorChallenge,
  FactorProof,
  FactorVerification,
  MfaToken,
  SecondFactorProvider,
  TokenPair,
} from '../ports.ts'
import { type Challenge, failed, type GrantStep, SUPERSEDED } from './grant.ts'

/** The authenticator that a user used last. Another user's may have the same id, so the username is compared, too. */
interface UsualAuthenticator {
  is(username: string, id: string): boolean
  set(username: string, id: string): void
}

export interface SecondFactorPorts {
  readonly provider: SecondFactorProvider
  readonly usual: UsualAuthenticator
  readonly clock: Clock
}

/** The lifetime of the provider's MFA token. */
const TOKEN_LIFE_MS = 10 * 60_000
/** How much longer to wait between polls if the provider asks for it (RFC 8628 section 3.5). */
const SLOW_DOWN_MS = 5_000

/** The code without spaces and dashes, which a copied code may contain. */
const withoutGaps = (code: Secret | undefined): Secret<'code'> =>
  new Secret('code', (code?.reveal() ?? '').replace(/[\s-]/g, ''))

export class SecondFactor {
  readonly #ports: SecondFactorPorts
  readonly #mfaToken: MfaToken
  readonly #username: string
  readonly #until: number

  constructor(mfaToken: MfaToken, username: string, ports: SecondFactorPorts) {
    this.#ports = ports
    this.#mfaToken = mfaToken
    this.#username = username
    this.#until = ports.clock.now() + TOKEN_LIFE_MS
  }

  /** Opens the challenge of the only authenticator, or lets the user choose one. */
  async begin(signal?: AbortSignal): Promise<GrantStep> {
    const listed = await this.#ports.provider.authenticators(this.#mfaToken)
    if (!listed.ok) return failed(listed.failure)
    // A cancelled sign-in must not send the user a code.
    if (signal?.aborted) return failed(SUPERSEDED.failure)
    const [first, ...more] = listed.value
    if (first === undefined) return failed({ code: 'interactionRequired', problem: 'notEnrolled' })
    return more.length === 0 ? this.#open(first, failed) : { kind: 'challenge', challenge: this.#choose(listed.value) }
  }

  #choose(options: readonly Authenticator[]): Challenge {
    const usual = options.find(({ id }) => this.#ports.usual.is(this.#username, id))
    const challenge: Challenge = {
      description: { kind: 'choose', options, ...(usual !== undefined && { usual: usual.id }) },
      answer: async ({ option }) => {
        const chosen = options.find(({ id }) => id === option)
        if (chosen === undefined) return { kind: 'challenge', challenge, failure: { code: 'invalidInput' } }
        return this.#open(chosen, (failure) => this.#askAgain(challenge, failure))
      },
      cancel: () => {},
    }
    return challenge
  }

  /** @param otherwise the next step if the provider can't challenge this authenticator */
  async #open(authenticator: Authenticator, otherwise: (failure: Failure) => GrantStep): Promise<GrantStep> {
    if (authenticator.kind === 'recoveryCode') {
      return { kind: 'challenge', challenge: this.#recoveryCode(authenticator) }
    }
    const asked = await this.#ports.provider.challenge(this.#mfaToken, authenticator)
    if (!asked.ok) return otherwise(asked.failure)
    return { kind: 'challenge', challenge: this.#proof(authenticator, asked.value) }
  }

  #proof(authenticator: Authenticator, asked: FactorChallenge): Challenge {
    switch (asked.kind) {
      case 'shownCode':
        return this.#code(authenticator, (code) => ({ kind: 'shownCode', code }))
      case 'outOfBand': {
        const { oobCode } = asked
        return asked.isTyped
          ? this.#code(authenticator, (code) => ({ kind: 'outOfBand', oobCode, code }))
          : this.#approval(authenticator, oobCode, asked.intervalMs)
      }
      default:
        return assertNever(asked)
    }
  }

  #code(authenticator: Authenticator, proofOf: (code: Secret<'code'>) => FactorProof): Challenge {
    const challenge: Challenge = {
      description: { kind: 'code', authenticator },
      answer: ({ code: typed }) => {
        const code = withoutGaps(typed)
        const { length } = code.reveal()
        // A code that can't be right isn't sent, because it would use up one of the few tries.
        if (authenticator.kind === 'app' && length !== 6 && length !== 8) {
          const failure = { code: 'invalidInput', problem: 'codeLength' } as const
          return Promise.resolve({ kind: 'challenge', challenge, failure })
        }
        return this.#verify(challenge, authenticator, proofOf(code))
      },
      cancel: () => {},
    }
    return challenge
  }

  #recoveryCode(authenticator: Authenticator): Challenge {
    const challenge: Challenge = {
      description: { kind: 'recoveryCode', authenticator },
      mayReveal: true,
      answer: ({ recoveryCode }) => {
        const code = new Secret('code', (recoveryCode?.reveal() ?? '').replace(/\s/g, ''))
        return this.#verify(challenge, authenticator, { kind: 'recoveryCode', code })
      },
      cancel: () => {},
    }
    return challenge
  }

  /** Asks the provider until the user has approved or refused. */
  #approval(authenticator: Authenticator, oobCode: Secret<'out-of-band code'>, firstIntervalMs: number): Challenge {
    const { clock, provider } = this.#ports
    const abort = new AbortController()
    let intervalMs = firstIntervalMs
    const challenge: Challenge = {
      description: { kind: 'approval', authenticator },
      answer: async () => {
        for (;;) {
          const until = clock.now() + intervalMs
          await unlessAborted<void>(abort.signal, (resolve) => clock.at(until, resolve)).catch(() => {})
          if (abort.signal.aborted) return failed(SUPERSEDED.failure)
          const verification = await provider.verify(this.#mfaToken, { kind: 'outOfBand', oobCode })
          if (verification.kind !== 'pending') return this.#afterVerification(verification, challenge, authenticator)
          if (this.#isOver) return failed(EXPIRED)
          if (verification.slowDown) intervalMs += SLOW_DOWN_MS
        }
      },
      cancel: () => abort.abort(),
    }
    return challenge
  }

  async #verify(challenge: Challenge, authenticator: Authenticator, proof: FactorProof): Promise<GrantStep> {
    const verification = await this.#ports.provider.verify(this.#mfaToken, proof)
    return verification.kind === 'pending'
      ? this.#askAgain(challenge, { code: 'rejected' })
      : this.#afterVerification(verification, challenge, authenticator)
  }

  #afterVerification(
    verification: Exclude<FactorVerification, { kind: 'pending' }>,
    challenge: Challenge,
    authenticator: Authenticator,
  ): GrantStep {
    if (verification.kind === 'failure') {
      const isRefused = verification.failure.code === 'rejected' && challenge.description.kind === 'approval'
      return isRefused
        ? failed({ ...verification.failure, problem: 'approvalRefused' })
        : this.#askAgain(challenge, verification.failure)
    }
    const { tokens, recoveryCode } = verification
    this.#ports.usual.set(this.#username, authenticator.id)
    if (recoveryCode === undefined) return { kind: 'tokens', tokens }
    // The tokens' lifetime counts from now, however long the user takes to confirm the new recovery code.
    const received = { ...tokens, receivedAt: this.#ports.clock.now() }
    return { kind: 'challenge', challenge: newRecoveryCode(recoveryCode, received) }
  }

  /** Offers the challenge again if another try can succeed. */
  #askAgain(challenge: Challenge, failure: Failure): GrantStep {
    // Some providers report every unknown MFA token as expired, so Latchkey's own clock decides.
    const isLate = (failure.code === 'rejected' || failure.problem === 'stepRefused') && this.#isOver
    if (isLate) return failed({ ...failure, ...EXPIRED })
    const isFinal = failure.problem === 'accountBlocked'
    return AGAIN.has(failure.code) && !isFinal ? { kind: 'challenge', challenge, failure } : failed(failure)
  }

  get #isOver(): boolean {
    return this.#ports.clock.now() >= this.#until
  }
}

const EXPIRED = { code: 'sessionEnded', problem: 'stepExpired' } as const

/** Failures that the user can correct or that will pass, so that another try may succeed. */
const AGAIN: ReadonlySet<FailureCode> = new Set([
  'rejected',
  'rateLimited',
  'unreachable',
  'untrustedCertificate',
  'proxyAuthenticationRequired',
])

/** The old code is used up, so the sign-in waits until the user has saved the new one. */
const newRecoveryCode = (code: Secret<'new recovery code'>, tokens: TokenPair): Challenge => ({
  description: { kind: 'newRecoveryCode' },
  revealed: code,
  answer: async () => ({ kind: 'tokens', tokens }),
  cancel: () => {},
})
