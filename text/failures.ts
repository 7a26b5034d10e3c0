/** Chooses the sentence for a failure; the catalogues have the sentences. */
import {
  type Failure,
  type FailureCode,
  isAnswered,
  isUnencrypted,
  OTHER_CLIENT,
  OTHER_ISSUER,
  type SignInProblem,
} from '../contract/failures.ts'
import type { IssuerKind } from '../contract/grants.ts'
import { askedOf, type Operation, type Sentence, type ServerRole } from './sentence.ts'

type Words = (asked: ServerRole) => string
/** A failed challenge gets the text of `signIn`. */
type ByOperation = { readonly [O in Exclude<Operation, 'challenge'>]: string }

/** The sentences for unusable input, by cause. */
export interface Inputs {
  readonly [cause: string]: Sentence
  readonly any: Sentence
}

/** `wait`: a sentence that says how long to wait. */
export type SignInProblems = { readonly [P in SignInProblem]: (asked: ServerRole, wait: string) => Sentence }

/** A language's sentences: what happened, then what to do. */
export interface FailureWords {
  readonly kept: string
  readonly turnedAway: (asked: ServerRole) => Sentence
  readonly wrongPassword: { readonly [I in IssuerKind]: Sentence }
  /** Said if the answer to a challenge was refused. */
  readonly wrongCode: Sentence
  /** The sentences for sign-ins whose failure code alone doesn't tell what to do. */
  readonly signIn: SignInProblems
  /**
   * Said if the refresh token was refused. The text of `signIn` is for a sign-in that was interrupted by a newer one or
   * by a sign-out.
   */
  readonly ended: { readonly [O in Exclude<Operation, 'challenge'>]: Sentence }
  /** Said if the session in the keychain is from another address of the identity provider. */
  readonly otherIssuer: Sentence
  /** Said if the session in the keychain is from an earlier client ID. */
  readonly otherClient: Sentence
  readonly hasToWait: Words
  readonly tooManyTries: Words
  /** `milliseconds`: the wait that the service asked for. */
  readonly waitThenTryAgain: (milliseconds: number | undefined) => string
  readonly unchanged: string
  readonly unreachable: { readonly title: Words; readonly body: ByOperation }
  /** Said if the server answered with an error or a page. */
  readonly unavailable: { readonly title: Words; readonly body: ByOperation }
  /**
   * Said if the proxy can't be reached, so the server wasn't asked. `variable`: the environment variable that names the
   * proxy; `undefined` if the system's settings name it.
   */
  readonly proxyAway: (proxy: string, variable: string | undefined) => string
  /** Said if a web page answered, for example a guest network's. */
  readonly webPage: { readonly title: Words; readonly body: ByOperation }
  /** Said if the address's host doesn't exist. */
  readonly noSuchHost: { readonly title: Words; readonly body: { readonly settings: string; readonly signIn: string } }
  /** Said if the server answered in plain HTTP. */
  readonly unencrypted: { readonly title: Words; readonly body: string }
  readonly untrusted: { readonly title: Words; readonly body: ByOperation }
  readonly proxy: { readonly title: string; readonly body: ByOperation }
  readonly proxyUnsupported: Sentence
  readonly proxyKerberos: Sentence
  readonly malformed: { readonly title: Words; readonly body: ByOperation; readonly ssoSignIn: string }
  readonly wrongCurrentPassword: Sentence
  readonly passwordRefused: Sentence
  readonly oneMoreStep: { readonly title: { readonly [I in IssuerKind]: string }; readonly body: ByOperation }
  readonly keychain: { readonly title: string; readonly body: ByOperation }
  readonly settingsUnwritable: Sentence
  readonly passwordOfProvider: Sentence
  readonly providerRefusesSettings: { readonly title: string; readonly body: ByOperation }
  readonly ssoGone: Sentence
  readonly ssoNotSetUp: Sentence
  readonly noService: Sentence
  /** Said if the user didn't confirm a new address for credentials. */
  readonly notConfirmed: Sentence
  /** Comes before the sentence that says how long to wait, if the user has just declined. */
  readonly justRefused: string
  readonly inputs: { readonly [O in Exclude<Operation, 'session'>]: Inputs }
}

/** The causes that mean that the proxy, if there is one, can't be reached. */
const PROXY_AWAY =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|no answer from the proxy|proxy timeout)/

/**
 * Returns a function that chooses the sentence. `host` is the service's host; a failure names the host of its provider.
 */
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
        const { [failure.details?.cause ?? '']: found, any } = words.inputs[step === 'session' ? 'signIn' : step]
        return found ?? any
      },
      notConfirmed() {
        const { title, body } = words.notConfirmed
        return { title, body: retryAfter === undefined ? body : `${words.justRefused} ${wait}` }
      },
    }
    return sentences[failure.code]()
  }
}
