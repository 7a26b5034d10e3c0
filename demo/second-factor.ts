/** The second factor of the demo's identity provider, with the endpoints of Auth0's MFA API. */
import * as v from 'valibot'
import { type Answer, type Call, json, NO_STORE, nonEmpty, parseBody, type Refuse, refuseWith } from './answer.ts'
import type { TokenIssuer } from './tokens.ts'
import type { DemoUser } from './users.ts'

/** The codes are invented, and the same for every user. */
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

interface Pending {
  readonly user: DemoUser
  readonly authenticators: readonly DemoAuthenticator[]
  readonly scope: string
  readonly until: number
  /** The challenges, by their out-of-band codes. `polls` is how often the client has asked for the result. */
  readonly challenges: Map<string, { readonly authenticator: DemoAuthenticator; polls: number }>
  wrong: number
}

interface Ports {
  readonly domain: string
  readonly now: () => number
  readonly issuer: TokenIssuer
  readonly checkClient: (sent: { readonly client_id: string; readonly client_secret?: string | undefined }) => void
  readonly tokens: (user: DemoUser, scope: string) => Promise<Answer>
}

/** Auth0 seals its secrets for clients with iron: `Fe26.2`, a password's id, salts and the text, joined with `*`. */
const sealed = (secret: string): string => `Fe26.2*82dcca*${secret}*aGVs*1760000000000*c2Fs*bWFj~2`

const refuse: Refuse = refuseWith('error_description')
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

export function secondFactor({ domain, now, issuer, checkClient, tokens }: Ports) {
  const waiting = new Map<string, Pending>()
  /** The current recovery codes, by username. A user has one here after using up the first recovery code. */
  const recoveryCodes = new Map<string, string>()

  function find(token: string): Pending {
    const found = waiting.get(token)
    if (found !== undefined && now() < found.until) return found
    return refuse(401, 'expired_token', 'mfa_token is expired')
  }

  function begin(user: DemoUser, authenticators: readonly DemoAuthenticator[], scope: string): Answer {
    const token = issuer.newSecret(sealed)
    const until = now() + TOKEN_LIFE_MS
    waiting.set(token, { user, authenticators, scope, until, challenges: new Map(), wrong: 0 })
    const text = 'Multifactor authentication required'
    const mfa_requirements = { challenge: [{ type: 'otp' }, { type: 'oob' }] }
    return json(403, { error: 'mfa_required', error_description: text, mfa_token: token, mfa_requirements }, NO_STORE)
  }

  function list({ headers }: Call): Answer {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
    const listed = find(token).authenticators.map((each) => LISTED[each])
    return json(200, listed, NO_STORE)
  }

  function challenge(call: Call): Answer {
    const body = parseBody(call, challengeBody, refuse)
    const { challenge_type, mfa_token, authenticator_id } = body
    checkClient(body)
    const pending = find(mfa_token)
    const authenticator = pending.authenticators.find((each) => LISTED[each].id === authenticator_id)
    if (authenticator === undefined) return refuse(403, 'association_required', 'User is not enrolled.')
    if (authenticator === 'app') return json(200, { challenge_type: 'otp' }, NO_STORE)
    if (challenge_type !== 'oob' || authenticator === 'recovery') {
      return refuse(400, 'unsupported_challenge_type', 'The authenticator has no such challenge.')
    }
    const oobCode = issuer.newSecret(sealed)
    pending.challenges.set(oobCode, { authenticator, polls: 0 })
    const binding = authenticator === 'push' ? { interval: PUSH_INTERVAL_S } : { binding_method: 'prompt' }
    return json(200, { challenge_type: 'oob', oob_code: oobCode, ...binding }, NO_STORE)
  }

  async function verify(call: Call): Promise<Answer> {
    const body = parseBody(call, verifyBody, refuse)
    checkClient(body)
    const { mfa_token, grant_type, otp, oob_code, binding_code, recovery_code } = body
    const pending = find(mfa_token)
    if (pending.wrong >= MOST_WRONG_CODES) refuse(429, 'too_many_attempts', 'Too many wrong codes.')
    const { user, authenticators, scope, challenges } = pending
    /** An MFA token works for one sign-in. */
    const answer = (isRight: boolean, code: string) => {
      if (!isRight) {
        pending.wrong += 1
        refuse(403, 'invalid_grant', `Invalid ${code}.`)
      }
      waiting.delete(mfa_token)
      return tokens(user, scope)
    }
    const own = `http://${domain}/oauth/grant-type/`
    switch (grant_type) {
      case `${own}mfa-otp`:
        return answer(otp === DEMO_CODES.app && authenticators.includes('app'), 'otp_code')
      case `${own}mfa-oob`: {
        const challenge = challenges.get(oob_code ?? '')
        if (challenge?.authenticator !== 'push') {
          return answer(!!challenge && binding_code === DEMO_CODES[challenge.authenticator], 'binding_code')
        }
        challenge.polls += 1
        if (challenge.polls > PENDING_ANSWERS) return answer(true, 'oob_code')
        return refuse(400, 'authorization_pending', 'The user has not approved yet.')
      }
      case `${own}mfa-recovery-code`: {
        const present = recoveryCodes.get(user.username) ?? DEMO_CODES.recovery
        const isRight = recovery_code === present && authenticators.includes('recovery')
        const answered = await answer(isRight, 'recovery_code')
        const next = issuer.newSecret().slice(0, 24)
        recoveryCodes.set(user.username, next)
        return { ...answered, body: JSON.stringify({ ...JSON.parse(answered.body), recovery_code: next }) }
      }
      default:
        return refuse(400, 'unsupported_grant_type', 'The grant type is not supported.')
    }
  }

  return { begin, list, challenge, verify }
}
