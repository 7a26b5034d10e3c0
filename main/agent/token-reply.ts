import type { IssuerKind } from '../../contract/grants.ts'
import { enKeychain } from '../../text/en/keychain.ts'
import { systemOf } from '../../text/system.ts'
import type { Clock } from '../base/clock.ts'
import type { AccessToken } from '../base/secret.ts'
import { errorReply, type Form, type Reply, replyOf } from './reply.ts'
import type { TokenAnswer } from './token-answer.ts'
import { formOfFormat, type TokenFacts, type TokenFormat, tokenBody } from './token-format.ts'
import type { NoTokenReason, WaitingIn } from './token-source.ts'

type SuccessfulAnswer = Extract<TokenAnswer, { kind: 'token' }>

interface CachedReplies {
  readonly accessToken: AccessToken
  readonly expiresAt: number
  readonly facts: Omit<TokenFacts, 'expiresIn'>
  readonly json: Reply
  readonly text: Reply
}

interface TokenRepliesPorts {
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /** The origin of the service that the current token is for. */
  readonly origin: () => string | undefined
}

/** The `Retry-After` of an answer while the agent is stopping, in seconds. */
const STOPPED_FOR = 10
/** The `Retry-After` if too many tools wait, in seconds. */
const WAIT_AGAIN_AFTER = 60

/** Turns answers about tokens into replies. Caches the replies that contain the current token as JSON or text. */
export class TokenReplies {
  readonly #ports: TokenRepliesPorts
  #cached: CachedReplies | undefined

  constructor(ports: TokenRepliesPorts) {
    this.#ports = ports
  }

  /** The reply: the token in this format, or an error as JSON or text (`form`). */
  of(answer: TokenAnswer, form: Form, format: TokenFormat = form): Reply {
    switch (answer.kind) {
      case 'token':
        return this.#replyWith(answer, format)
      case 'signedOut':
        this.clear()
        return errorReply('signed_out', form, answer.waitingIn && { message: OPEN_SIGN_IN[answer.waitingIn] })
      case 'tooShort': {
        const [left, wanted] = [answer.left, answer.minValidity].map((time) => Math.floor(time / 1_000))
        const message = `The access token is valid for only ${left} s, less than the requested ${wanted} s.`
        return errorReply('too_short', form, { message })
      }
      case 'removed':
        return errorReply('unknown_connection', form, { close: true })
      case 'tooManyWaiting':
        return errorReply('too_many_connections', form, { message: TOO_MANY, retryAfter: WAIT_AGAIN_AFTER })
      case 'stopping':
        return errorReply('stopping', form, { retryAfter: STOPPED_FOR, close: true })
      case 'rejectedTooSoon':
        return this.#unavailable(TOO_SOON, answer.retryAt, form)
      case 'unavailable':
        return this.#unavailable(sentenceOf(answer.reason, answer.issuer), answer.retryAt, form)
    }
  }

  /** Drops the cached token. */
  clear(): void {
    this.#cached = undefined
  }

  #unavailable(message: string, retryAt: number, form: Form): Reply {
    const retryAfter = Math.max(1, Math.ceil((retryAt - this.#ports.clock.now()) / 1_000))
    return errorReply('unavailable', form, { message, retryAfter })
  }

  #replyWith(answer: SuccessfulAnswer, format: TokenFormat): Reply {
    const replies = this.#repliesFor(answer)
    if (format === 'json' || format === 'text') return replies[format]
    // This reply is not cached, because some formats contain the token's remaining life.
    const expiresIn = Math.max(0, Math.floor((answer.token.expiresAt - this.#ports.clock.now()) / 1_000))
    return replyOf(200, formOfFormat(format), tokenBody(format, { ...replies.facts, expiresIn }))
  }

  #repliesFor({ token: { accessToken, expiresAt: end }, account }: SuccessfulAnswer): CachedReplies {
    const { clock, origin } = this.#ports
    const expiresAt = Math.floor((end - clock.now() + clock.wall()) / 1_000)
    const last = this.#cached
    const serves = origin()
    // SECURITY: another data address applies at once, also to a token in hand.
    if (last?.accessToken === accessToken && last.expiresAt === expiresAt && last.facts.origin === serves) return last
    const facts = { token: accessToken.reveal(), expiresAt, account, origin: serves }
    const body = (format: Form) => replyOf(200, format, tokenBody(format, { ...facts, expiresIn: 0 }))
    const replies = { accessToken, expiresAt, facts, json: body('json'), text: body('text') }
    this.#cached = replies
    return replies
  }
}

const OPEN_SIGN_IN: Record<WaitingIn, string> = {
  browser: 'You are not signed in yet. Finish the sign-in in your browser.',
  window: "You are not signed in yet. Finish the sign-in in Latchkey's window.",
}

const TOO_MANY = 'Too many tools are waiting for a sign-in. Sign in, or try again later.'

const TOO_SOON = 'The remote machine rejects new tokens faster than Latchkey renews them for it. Try again later.'

const BY_WINDOW = "Latchkey can't get a token right now and keeps trying. Its window shows why."

/** The reason why there is no token now, and the next step. */
function sentenceOf(reason: NoTokenReason, issuer: IssuerKind = 'service'): string {
  const says = SENTENCES[reason]
  return typeof says === 'string' ? says : says(NAMES[issuer])
}

const NAMES: Record<IssuerKind, readonly [string, string]> = {
  service: ['the service', 'The service'],
  identityProvider: ['your identity provider', 'Your identity provider'],
}

/** With the issuer's name, in the sentence and at its beginning. */
const SENTENCES: Record<NoTokenReason, string | ((name: readonly [string, string]) => string)> = {
  unreachable: ([it]) => `Latchkey can't reach ${it}. Check your network or VPN; Latchkey keeps trying.`,
  unavailable: ([, It]) => `${It} isn't responding as it should. Latchkey keeps trying; its window shows why.`,
  rateLimited: ([, It]) => `${It} asked Latchkey to wait. Try again later.`,
  untrustedCertificate: ([it]) => `Latchkey doesn't trust the certificate of ${it}. Its window shows the details.`,
  proxyAuthenticationRequired: "Your network's proxy requires you to sign in. Sign in to it in Latchkey.",
  malformedResponse: ([it]) => `Latchkey doesn't understand the response of ${it}. Its window shows the details.`,
  keychainUnavailable: `${enKeychain(systemOf(process.platform)).Your} is locked or not responding. Unlock it, and Latchkey continues.`,
  interactionRequired: ([, It]) => `${It} requires an additional step. Open Latchkey.`,
  rejected: BY_WINDOW,
  sessionEnded: BY_WINDOW,
  passwordRefused: BY_WINDOW,
  notConfigured: BY_WINDOW,
  invalidInput: BY_WINDOW,
  notConfirmed: BY_WINDOW,
  settingsUnwritable: BY_WINDOW,
}
