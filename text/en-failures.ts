/** English: each failure in each place. Plain words: what happened, then what to do. */
import type { Failure, FailureCode, SignInMethod } from '../preload/contract.ts'
import type { Format } from './format.ts'
import { askedOf, type Operation, type Sentence } from './sentence.ts'

interface Case {
  readonly during: Operation
  /** Who was asked, by name where that is known. */
  readonly who: string
  /** Whether an identity provider was asked, not the service. */
  readonly sso: boolean
  readonly failure: Failure
}

const KEPT = 'Your session is kept.'
const UNCHANGED = 'The password is unchanged.'
/** The reply is missing, so the service may have done it. */
const UNSURE = 'If the old password no longer works, the new one does.'

export const enFailures = (format: Format) => {
  const sentences: Record<FailureCode, (each: Case) => Sentence> = {
    rejected: ({ during, who, sso }) => {
      if (during === 'connect')
        return { title: `Latchkey was turned away by ${who}.`, body: 'Check the address and try again.' }
      if (during !== 'signIn') return endedSentence(during)
      return {
        title: 'That username and password don’t match.',
        body: sso
          ? 'They are those of your company account. Check Caps Lock and try again.'
          : 'Check Caps Lock and try again.',
      }
    },
    sessionEnded: ({ during }) => endedSentence(during),
    rateLimited: ({ during, who, failure: { retryAfter } }) => {
      if (during === 'session') return { title: `Latchkey has to wait for ${who}.`, body: KEPT }
      const wait = `Wait ${retryAfter === undefined ? 'a little' : format.wait(retryAfter * 1_000)}, then try again.`
      return {
        title: `There were too many tries at ${who}.`,
        body: during === 'changePassword' ? `${UNCHANGED} ${wait}` : wait,
      }
    },
    unreachable: ({ during, who }) => ({
      title: `Latchkey can’t reach ${who}.`,
      body: {
        connect: 'Check the address and your network, then try again.',
        signIn: 'Check your network or VPN, then try again.',
        session: KEPT,
        changePassword: `Check your network or VPN, then try again. ${UNSURE}`,
      }[during],
    }),
    untrustedCertificate: ({ during, who }) => ({
      title: `Latchkey doesn’t trust the certificate of ${who}.`,
      body: `${during === 'session' ? KEPT : 'Nothing was sent.'} Show the details to your administrator.`,
    }),
    proxyAuthenticationRequired: ({ during }) => ({
      title: 'Your network’s proxy wants you to sign in to it.',
      body:
        during === 'session'
          ? `${KEPT} Sign in to the proxy, and Latchkey goes on.`
          : 'Sign in to the proxy, then try again.',
    }),
    malformedResponse: ({ during, who, sso }) => ({
      title: `Latchkey doesn’t understand the answer of ${who}.`,
      body: {
        connect: 'Check the address, or ask your administrator.',
        signIn: sso ? 'Try again, or ask your administrator.' : 'Check the service address, or ask your administrator.',
        session: `${KEPT} If this lasts, ask your administrator.`,
        changePassword: `${UNSURE} Ask your administrator.`,
      }[during],
    }),
    passwordRefused: () => ({ title: 'The new password was refused.', body: 'Choose another one.' }),
    interactionRequired: ({ during, sso }) => ({
      title: `${sso ? 'Your identity provider' : 'Your service'} asks for one more step.`,
      body:
        during === 'session'
          ? `${KEPT} If this lasts, sign out and sign in again.`
          : 'Latchkey can’t show it. Ask your administrator for another way.',
    }),
    keychainUnavailable: ({ during }) => ({
      title: 'Your keychain doesn’t answer.',
      body: during === 'session' ? `${KEPT} Unlock the keychain, and Latchkey goes on.` : 'Unlock it, then try again.',
    }),
    notConfigured,
    invalidInput: ({ during, failure }) => {
      const cause = failure.details?.cause ?? ''
      const { [cause]: found, any } = during === 'session' ? INPUTS.signIn : INPUTS[during]
      return found ?? any
    },
  }
  /** `host` is the service's; the name of an identity provider comes with the failure. */
  return (failure: Failure, during: Operation, host: string | undefined, method: SignInMethod = 'password') => {
    const sso = method === 'sso'
    const who = askedOf(method, host, failure).host ?? (sso ? 'your identity provider' : 'the service')
    return sentences[failure.code]({ during, who, sso, failure })
  }
}

function endedSentence(during: Operation): Sentence {
  if (during === 'signIn') return { title: 'The sign-in was interrupted.', body: 'Sign in again.' }
  if (during === 'changePassword')
    return { title: 'Your session has ended.', body: `${UNCHANGED} Sign in again first.` }
  return { title: 'Your session has ended.', body: 'Sign in again, and your tools go on.' }
}

function notConfigured({ during, sso, failure }: Case): Sentence {
  if (during === 'changePassword') {
    return {
      title: 'Latchkey can’t change this password.',
      body: 'It belongs to your identity provider: change it there.',
    }
  }
  // Who answered knows the provider's settings to be wrong; otherwise there are none.
  if (sso && failure.details?.host !== undefined) {
    return {
      title: 'Your identity provider doesn’t accept Latchkey’s settings.',
      body: `${during === 'session' ? KEPT : 'It isn’t about your password.'} Show the details to your administrator.`,
    }
  }
  if (during === 'session') {
    return {
      title: 'Single sign-on is no longer set up.',
      body: 'Sign in with your password, or ask your administrator.',
    }
  }
  return sso
    ? { title: 'Single sign-on isn’t set up.', body: 'Use your password, or ask your administrator.' }
    : { title: 'Latchkey doesn’t know your service yet.', body: 'Enter its address first.' }
}

interface Inputs {
  readonly [cause: string]: Sentence
  readonly any: Sentence
}

/** What can't be used as it was entered, by cause. */
const INPUTS: Record<Exclude<Operation, 'session'>, Inputs> = {
  connect: {
    any: {
      title: 'That address can’t be used.',
      body: 'It starts with https:// and names your service, such as https://data.example.com.',
    },
    notHttps: { title: 'That address isn’t safe.', body: 'Use the one that starts with https://.' },
    hasCredentials: {
      title: 'That address holds a username or a password.',
      body: 'Leave them out: you enter them when you sign in.',
    },
    hasQuery: { title: 'That is more than an address.', body: 'Leave out everything from the ? or the # on.' },
    tooLong: { title: 'That address is too long.', body: 'Look for text that was pasted by mistake.' },
    managed: {
      title: 'This address is set outside of Latchkey.',
      body: 'It can’t be changed here. Ask your administrator.',
    },
  },
  signIn: {
    any: { title: 'That username or password can’t be sent.', body: 'Check both and try again.' },
    empty: { title: 'The username or the password is missing.', body: 'Enter both and try again.' },
    tooLong: {
      title: 'That username or password is too long.',
      body: 'Look for text that was pasted by mistake, and try again.',
    },
    inexpressible: {
      title: 'That username or password can’t be sent.',
      body: 'Look for a line break or a tab that was pasted by mistake, and try again.',
    },
    username: {
      title: 'That username can’t be sent.',
      body: 'Look for a colon, a line break or a tab, and try again.',
    },
    password: {
      title: 'That password can’t be sent.',
      body: 'Look for a line break or a tab that was pasted by mistake, and try again.',
    },
  },
  changePassword: {
    any: { title: 'That password can’t be used.', body: 'Choose another one.' },
    empty: { title: 'The new password is missing.', body: 'Enter it twice and try again.' },
    tooLong: { title: 'That password is too long.', body: 'Choose one of at most 4,096 characters.' },
    inexpressible: {
      title: 'You couldn’t sign in with that password.',
      body: 'Look for a line break or a tab that was pasted by mistake, and choose one without.',
    },
  },
}
