import {
  type Failure,
  type FailureCode,
  isAnswered,
  isUnencrypted,
  OTHER_CLIENT,
  OTHER_ISSUER,
} from '../contract/failures.ts'
import type { IssuerKind } from '../contract/grants.ts'
import type { enFailures } from './en/failures.ts'
import { askedOf, type Operation, type Sentence, type ServerRole } from './sentence.ts'

type Words = (asked: ServerRole) => string

interface Inputs {
  readonly [cause: string]: Sentence
  readonly any: Sentence
}

export type FailureWords = ReturnType<typeof enFailures>

/** A failed challenge gets the text of `signIn`. */
type ByOperation = FailureWords['unreachable']['body']

/** The causes that mean that the proxy, if there is one, can't be reached. */
const PROXY_AWAY =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|no answer from the proxy|proxy timeout)/

/** `host` is the service's host; a failure names the host of its provider. */
export function createFailureSentences(words: FailureWords) {
  return (failure: Failure, step: Operation, host: string | undefined, issuer: IssuerKind = 'service'): Sentence => {
    const during = step === 'challenge' ? 'signIn' : step
    const asked = askedOf(issuer, host, failure)
    const { problem, retryAfter } = failure
    const wait = words.waitThenTryAgain(retryAfter === undefined ? undefined : retryAfter * 1_000)
    if (problem !== undefined) return words.signIn[problem](asked, wait)
    const by = ({ title, body }: { readonly title: string | Words; readonly body: ByOperation }): Sentence => ({
      title: typeof title === 'string' ? title : title(asked),
      body: body[during],
    })
    const { operation = during, sent, status } = failure.details ?? {}
    /** True if the password is unchanged, because the change wasn't sent or an earlier request failed. */
    const isUnmade = during === 'changePassword' && (operation !== during || (sent !== true && status === undefined))
    const sentences: { readonly [C in FailureCode]: () => Sentence } = {
      rejected() {
        if (step === 'challenge') return words.wrongCode
        if (during === 'settings') return words.turnedAway(asked)
        if (during === 'changePassword') return words.wrongCurrentPassword
        return during === 'signIn' ? words.wrongPassword[issuer] : words.ended[during]
      },
      sessionEnded() {
        const { cause } = failure.details ?? {}
        if (cause === OTHER_ISSUER) return words.otherIssuer
        return cause === OTHER_CLIENT ? words.otherClient : words.ended[during]
      },
      rateLimited() {
        if (during === 'session') return { title: words.hasToWait(asked), body: words.kept }
        return {
          title: words.tooManyTries(asked),
          body: during === 'changePassword' ? `${words.unchanged} ${wait}` : wait,
        }
      },
      unreachable() {
        const { cause = '', proxy, proxyVariable } = failure.details ?? {}
        const isProxyAway = proxy !== undefined && PROXY_AWAY.test(cause)
        if ((during === 'settings' || during === 'signIn') && cause === 'ENOTFOUND' && !isProxyAway)
          return { title: words.noSuchHost.title(asked), body: words.noSuchHost.body[during] }
        if (during !== 'session' && isUnencrypted(failure))
          return { title: words.unencrypted.title(asked), body: words.unencrypted.body }
        const isPage = cause === 'HTML answer'
        const found = isPage ? words.webPage : isAnswered(failure) ? words.unavailable : words.unreachable
        const { title, body } = by(found)
        return {
          title: isProxyAway ? words.proxyAway(proxy.replace(/^\w+:\/\//, ''), proxyVariable) : title,
          body: isUnmade ? `${words.unchanged} ${found.body.signIn}` : body,
        }
      },
      untrustedCertificate: () => by(words.untrusted),
      proxyAuthenticationRequired() {
        const { cause = '' } = failure.details ?? {}
        const isKerberos = cause.includes('Kerberos') && !cause.startsWith('unsupported')
        if (!isKerberos && !cause.startsWith('unsupported')) return by(words.proxy)
        const { title, body } = isKerberos ? words.proxyKerberos : words.proxyUnsupported
        return { title, body: during === 'session' ? `${words.kept} ${body}` : body }
      },
      malformedResponse() {
        const { title, body } = by(words.malformed)
        if (isUnmade) return { title, body: `${words.unchanged} ${words.malformed.body.signIn}` }
        return { title, body: during === 'signIn' && issuer === 'identityProvider' ? words.malformed.ssoSignIn : body }
      },
      passwordRefused: () => words.passwordRefused,
      interactionRequired: () => by({ title: words.oneMoreStep.title[issuer], body: words.oneMoreStep.body }),
      keychainUnavailable: () => by(words.keychain),
      settingsUnwritable: () => words.settingsUnwritable,
      notConfigured() {
        if (during === 'changePassword') return words.passwordOfProvider
        // If the failure has a host, the provider there refused the settings; if it has none, settings are missing.
        if (issuer === 'identityProvider' && failure.details?.host !== undefined)
          return by(words.providerRefusesSettings)
        if (during === 'session') return words.ssoGone
        return issuer === 'identityProvider' ? words.ssoNotSetUp : words.noService
      },
      invalidInput() {
        const inputs: Inputs = words.inputs[step === 'session' ? 'signIn' : step]
        return inputs[failure.details?.cause ?? ''] ?? inputs.any
      },
      notConfirmed() {
        const { title, body } = words.notConfirmed
        return { title, body: retryAfter === undefined ? body : `${words.justRefused} ${wait}` }
      },
    }
    return sentences[failure.code]()
  }
}
