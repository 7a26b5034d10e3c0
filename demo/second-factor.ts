/** The second factor of the demo's identity provider, with the endpoints of Auth0's MFA API. */
import * as v from 'valibot'
import { type Answer, type Call, json, NO_STORE, nonEmpty, parseBody, refuseWith } from './answer.ts'
import type { TokenIssuer } from './tokens.ts'
import type { DemoUser } from './users.ts'

/** The code that each authenticator accepts. The codes are invented, and the same for every user. */
export const DEMO_CODES = { app: '246810', text: '135790', email: '112358', recovery: 'HARBOUR24LAMP' } as const

export type DemoAuthenticator = keyof typeof DEMO_CODES | 'push'

/** The demo answers this many polls with `authorization_pending`, and approves the next one. */
const PENDING_ANSWERS = 2
const PUSH_INTERVAL_S = 1
const TOKEN_LIFE_MS = 10 * 60_000
const MOST_WRONG_CODES = 5

const LISTED = {
  app: { id: 'totp|dev_1', authenticator_type: 'otp', active: true },
  text: { id: 'sms|dev_2', authenticator_type: 'oob', oob_channel: 'sms', name: '••• ••• 89', active: true },
  email: { id: 'email|dev_3', authenticator_type: 'oob', oob_channel: 'email', name: 'a••@example.com', active: true },
  push: { id: 'push|dev_4', authenticator_type: 'oob', oob_channel: 'auth0', name: 'Ana’s phone', active: true },
  recovery: { id: 'recovery-code|dev_5', authenticator_type: 'recovery-code', active: true },
} satisfies Record<DemoAuthenticator, object>

/** A sign-in with the right password that waits for the second factor. */
interface Pending {
  readonly user: DemoUser
  readonly authenticators: readonly DemoAuthenticator[]
  readonly scope: string
  readonly until: number
  /** The challenges, by their out-of-band codes. `polls` is how often the client has asked for the result. */
  readonly challenges: Map<string, { readonly authenticator: DemoAuthenticator; polls: number }>
  wrong: number
}

interface SecondFactorPorts {
  readonly domain: string
  readonly now: () => number
  readonly issuer: TokenIssuer
  readonly isClient: (sent: { readonly client_id: string; readonly client_secret?: string | undefined }) => boolean
  readonly tokens: (user: DemoUser, scope: string) => Promise<Answer>
}

/** Auth0 seals its secrets for clients with iron: `Fe26.2`, a password's id, salts and the text, joined with `*`. */
const sealed = (secret: string): string => `Fe26.2*82dcca*${secret}*aGVs*1760000000000*c2Fs*bWFj~2`

const refuse = refuseWith('error_description')
const client = { client_id: nonEmpty, client_secret: v.optional(nonEmpty) }
const challengeBody = v.strictObject({
  ...client,
  challenge_type: v.picklist(['otp', 'oob']),
  mfa_token: nonEmpty,
  authenticator_id: nonEmpty,
})
const verifyBody = v.strictObject({
  ...client,
  grant_type: nonEmpty,
  mfa_token: nonEmpty,
  otp: v.optional(nonEmpty),
  oob_code: v.optional(nonEmpty),
  binding_code: v.optional(nonEmpty),
  recovery_code: v.optional(nonEmpty),
})
const WRONG_CLIENT = refuse(401, 'invalid_client', 'The client is unknown or its secret is wrong.')
const EXPIRED = refuse(401, 'expired_token', 'mfa_token is expired')

export class SecondFactor {
  readonly #ports: SecondFactorPorts
  readonly #pending = new Map<string, Pending>()
  /** The current recovery codes, by username. A user has one here after using up the first recovery code. */
  readonly #recoveryCodes = new Map<string, string>()

  constructor(ports: SecondFactorPorts) {
    this.#ports = ports
  }

  /** The answer to a right password. */
  require(user: DemoUser, authenticators: readonly DemoAuthenticator[], scope: string): Answer {
    const { now, issuer } = this.#ports
    const token = issuer.newSecret(sealed)
    const until = now() + TOKEN_LIFE_MS
    this.#pending.set(token, { user, authenticators, scope, until, challenges: new Map(), wrong: 0 })
    const text = 'Multifactor authentication required'
    const mfa_requirements = { challenge: [{ type: 'otp' }, { type: 'oob' }] }
    return json(403, { error: 'mfa_required', error_description: text, mfa_token: token, mfa_requirements }, NO_STORE)
  }

  serves(grantType: string): boolean {
    return grantType.startsWith(`http://${this.#ports.domain}/oauth/grant-type/mfa-`)
  }

  list({ headers }: Call): Answer {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
    const listed = this.#find(token)?.authenticators.map((each) => LISTED[each])
    return listed === undefined ? EXPIRED : json(200, listed, NO_STORE)
  }

  challenge(call: Call): Answer {
    const body = parseBody(call, challengeBody, refuse)
    if (!body.ok) return body.answer
    const { challenge_type, mfa_token, authenticator_id } = body.value
    if (!this.#ports.isClient(body.value)) return WRONG_CLIENT
    const pending = this.#find(mfa_token)
    if (pending === undefined) return EXPIRED
    const authenticator = pending.authenticators.find((each) => LISTED[each].id === authenticator_id)
    if (authenticator === undefined) return refuse(403, 'association_required', 'User is not enrolled.')
    if (authenticator === 'app') return json(200, { challenge_type: 'otp' }, NO_STORE)
    if (challenge_type !== 'oob' || authenticator === 'recovery') {
      return refuse(400, 'unsupported_challenge_type', 'The authenticator has no such challenge.')
    }
    const oobCode = this.#ports.issuer.newSecret(sealed)
    pending.challenges.set(oobCode, { authenticator, polls: 0 })
    const binding = authenticator === 'push' ? { interval: PUSH_INTERVAL_S } : { binding_method: 'prompt' }
    return json(200, { challenge_type: 'oob', oob_code: oobCode, ...binding }, NO_STORE)
  }

  async verify(call: Call): Promise<Answer> {
    const body = parseBody(call, verifyBody, refuse)
    if (!body.ok) return body.answer
    if (!this.#ports.isClient(body.value)) return WRONG_CLIENT
    const { mfa_token, grant_type, otp, oob_code, binding_code, recovery_code } = body.value
    const pending = this.#find(mfa_token)
    if (pending === undefined) return EXPIRED
    if (pending.wrong >= MOST_WRONG_CODES) return refuse(429, 'too_many_attempts', 'Too many wrong codes.')
    const { user, authenticators } = pending
    const answer = (isRight: boolean, what: string) => (isRight ? this.#tokens(mfa_token) : wrong(pending, what))
    switch (grant_type.slice(grant_type.lastIndexOf('/') + 1)) {
      case 'mfa-otp':
        return answer(otp === DEMO_CODES.app && authenticators.includes('app'), 'Invalid otp_code.')
      case 'mfa-oob': {
        const challenge = pending.challenges.get(oob_code ?? '')
        if (challenge === undefined) return wrong(pending, 'Invalid oob_code.')
        const { authenticator } = challenge
        if (authenticator !== 'push') return answer(binding_code === DEMO_CODES[authenticator], 'Invalid binding_code.')
        challenge.polls += 1
        return challenge.polls > PENDING_ANSWERS
          ? this.#tokens(mfa_token)
          : refuse(400, 'authorization_pending', 'The user has not approved yet.')
      }
      case 'mfa-recovery-code': {
        const present = this.#recoveryCodes.get(user.username) ?? DEMO_CODES.recovery
        const isRight = recovery_code === present && authenticators.includes('recovery')
        const answered = await answer(isRight, 'Invalid recovery_code.')
        if (!isRight) return answered
        const next = this.#ports.issuer.newSecret().slice(0, 24)
        this.#recoveryCodes.set(user.username, next)
        return { ...answered, body: JSON.stringify({ ...JSON.parse(answered.body), recovery_code: next }) }
      }
      default:
        return refuse(400, 'unsupported_grant_type', 'The grant type is not supported.')
    }
  }

  #find(token: string): Pending | undefined {
    const found = this.#pending.get(token)
    return found !== undefined && this.#ports.now() < found.until ? found : undefined
  }

  /** An MFA token works for one sign-in. */
  #tokens(mfaToken: string): Promise<Answer> {
    const found = this.#find(mfaToken)
    this.#pending.delete(mfaToken)
    return found === undefined ? Promise.resolve(EXPIRED) : this.#ports.tokens(found.user, found.scope)
  }
}

function wrong(pending: Pending, text: string): Answer {
  pending.wrong += 1
  return refuse(403, 'invalid_grant', text)
}
