import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { EnKeychain } from './keychain.ts'
import { enSignInProblems } from './sign-in-problems.ts'

const GUEST_NETWORK = 'Your network may want you to sign in first. Open any page in your browser, then try again.'
const KEPT = 'You stay signed in.'
const UNCHANGED = 'The password is unchanged.'
/** The response got lost, so the service may have changed the password. */
const UNSURE = 'If the old password no longer works, use the new one.'
const SHOW = 'Show the details to your administrator.'

const who = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'your identity provider' : 'the service')
const whoAtStart = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'Your identity provider' : 'The service')

export const enFailures = (format: Format, keychain: EnKeychain) => ({
  kept: KEPT,
  turnedAway: (asked: ServerRole) => ({
    title: `${whoAtStart(asked)} refused the request.`,
    body: 'Check the address and try again.',
  }),
  wrongPassword: {
    service: { title: 'That username and password don’t match.', body: 'Check both and try again.' },
    identityProvider: {
      title: 'That username and password don’t match.',
      body: 'Use those of your company account. Check both and try again.',
    },
  },
  wrongCode: { title: 'The code was refused.', body: 'Check it and try again.' },
  signIn: enSignInProblems,
  /** Said if the refresh token was refused. `signIn`: a newer sign-in or a sign-out interrupted the sign-in. */
  ended: {
    settings: { title: 'Your session has ended.', body: 'Your tools can’t get a token until you sign in.' },
    signIn: { title: 'The sign-in was interrupted.', body: 'Sign in again.' },
    session: { title: 'Your session has ended.', body: 'Your tools can’t get a token until you sign in.' },
    changePassword: { title: 'Your session has ended.', body: `${UNCHANGED} Sign in again first.` },
  },
  otherIssuer: {
    title: 'Single sign-on has moved to another address.',
    body: 'Sign in again. Until then, your earlier session is kept in case the old address comes back.',
  },
  otherClient: {
    title: 'The settings for single sign-on have changed.',
    body: 'Sign in again. Until then, your earlier session is kept in case the old client ID comes back.',
  },
  hasToWait: (asked: ServerRole) => `${whoAtStart(asked)} asked Latchkey to wait.`,
  tooManyTries: (asked: ServerRole) => `Too many attempts at ${who(asked)}.`,
  waitThenTryAgain: (ms: number | undefined) =>
    `Wait ${ms === undefined ? 'a moment' : format.wait(ms)}, then try again.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked: ServerRole) => `Can’t reach ${who(asked)}.`,
    body: {
      settings: 'Check the address and your network, then try again.',
      signIn: 'Check your network or VPN, then try again.',
      session: KEPT,
      changePassword: `Check your network or VPN, then try again. ${UNSURE}`,
    },
  },
  unavailable: {
    title: (asked: ServerRole) => `${whoAtStart(asked)} isn’t responding as it should.`,
    body: {
      settings: 'Check the address, or try again in a few minutes.',
      signIn: 'Try again in a few minutes. If it happens again, show the details to your administrator.',
      session: KEPT,
      changePassword: `Try again in a few minutes. ${UNSURE}`,
    },
  },
  /** The server wasn't asked. `variable` names the proxy; `undefined` if the system's settings do. */
  proxyAway: (proxy: string, variable: string | undefined) =>
    `The proxy ${proxy} (from ${variable ?? 'your system’s settings'}) doesn’t answer.`,
  /** Said if a web page answered, for example a guest network's. */
  webPage: {
    title: (asked: ServerRole) => `A web page answered instead of ${who(asked)}.`,
    body: {
      settings: GUEST_NETWORK,
      signIn: GUEST_NETWORK,
      session: `${KEPT} Your network may want you to sign in: open any page in your browser.`,
      changePassword: `${GUEST_NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked: ServerRole) => `Can’t find ${who(asked)}.`,
    body: {
      settings: 'Check the spelling. If it’s correct, connect to your VPN and try again, or choose Continue anyway.',
      signIn: 'Check your network or VPN. If the address is misspelt, correct it in Settings.',
    },
  },
  unencrypted: {
    title: (asked: ServerRole) => `${whoAtStart(asked)} answered without encryption.`,
    body: 'Check the port. For a service on this computer, begin the address with http://.',
  },
  untrusted: {
    title: (asked: ServerRole) => `Latchkey doesn’t trust the certificate of ${who(asked)}.`,
    body: {
      settings: `Nothing was sent. ${SHOW}`,
      signIn: `Nothing was sent. ${SHOW}`,
      session: `${KEPT} ${SHOW}`,
      changePassword: `Nothing was sent. ${SHOW}`,
    },
  },
  proxy: {
    title: 'Your network’s proxy requires you to sign in.',
    body: {
      settings: 'Sign in to the proxy, then try again.',
      signIn: 'Sign in to the proxy, then try again.',
      session: `${KEPT} Sign in to the proxy to continue.`,
      changePassword: 'Sign in to the proxy, then try again.',
    },
  },
  proxyUnsupported: {
    title: 'Your network’s proxy requires a sign-in method that Latchkey doesn’t support.',
    body: `Here, Latchkey can sign in to proxies with a password or with Kerberos. ${SHOW}`,
  },
  proxyKerberos: {
    title: 'Your network’s proxy asks for a Kerberos ticket, and didn’t get one.',
    body: `Sign in to this computer with your company account, or run kinit, then try again. If that doesn’t help: ${SHOW}`,
  },
  malformed: {
    title: (asked: ServerRole) => `Latchkey doesn’t understand the response from ${who(asked)}.`,
    body: {
      settings: 'Check the address, or ask your administrator.',
      signIn: 'Check the service address, or ask your administrator.',
      session: `${KEPT} If this continues, ask your administrator.`,
      changePassword: `${UNSURE} Ask your administrator.`,
    },
    ssoSignIn: 'Try again, or ask your administrator.',
  },
  wrongCurrentPassword: {
    title: 'The current password is wrong.',
    body: `${UNCHANGED} Check your current password and try again.`,
  },
  passwordRefused: { title: 'The new password was refused.', body: 'Choose another one.' },
  oneMoreStep: {
    title: {
      service: 'Your service requires an additional step.',
      identityProvider: 'Your identity provider requires an additional step.',
    },
    body: {
      settings: 'Latchkey doesn’t support it. Ask your administrator for another way to sign in.',
      signIn: 'Latchkey doesn’t support it. Ask your administrator for another way to sign in.',
      session: 'Sign in again to continue.',
      changePassword: 'Latchkey doesn’t support it. Ask your administrator for another way to sign in.',
    },
  },
  keychain: {
    title: `${keychain.Your} isn’t responding.`,
    body: {
      settings: keychain.unlock,
      signIn: keychain.unlock,
      session: `${KEPT} ${keychain.unlock}`,
      changePassword: keychain.unlock,
    },
  },
  settingsUnwritable: {
    title: 'Your settings can’t be saved.',
    body: 'The disk may be full or write-protected. Free some space, then try again.',
  },
  passwordOfProvider: {
    title: 'Latchkey can’t change this password.',
    body: 'It belongs to your identity provider: change it there.',
  },
  providerRefusesSettings: {
    title: 'Your identity provider doesn’t accept Latchkey’s settings.',
    body: {
      settings: `Your password is not the problem. ${SHOW}`,
      signIn: `Your password is not the problem. ${SHOW}`,
      session: `${KEPT} ${SHOW}`,
      changePassword: `Your password is not the problem. ${SHOW}`,
    },
  },
  ssoGone: {
    title: 'Single sign-on is no longer set up.',
    body: 'Sign in with your password, or ask your administrator.',
  },
  ssoNotSetUp: { title: 'Single sign-on isn’t set up.', body: 'Use your password, or ask your administrator.' },
  noService: { title: 'Latchkey doesn’t know your service yet.', body: 'Enter its address first.' },
  notConfirmed: {
    title: 'Nothing was saved.',
    body: 'If you didn’t expect that question, tell your administrator.',
  },
  /** Comes before the sentence that says how long to wait, if the user has just declined. */
  justRefused: 'You’ve just refused this.',
  inputs: {
    settings: {
      any: { title: 'These settings aren’t valid.', body: 'Check what you entered and try again.' },
      tooLong: { title: 'One of the values is too long.', body: 'Look for text pasted by mistake.' },
    },
    signIn: {
      any: { title: 'That username or password isn’t valid.', body: 'Check both and try again.' },
      empty: { title: 'The username or the password is missing.', body: 'Enter both and try again.' },
      tooLong: {
        title: 'That username or password is too long.',
        body: 'Look for text pasted by mistake, then try again.',
      },
      inexpressible: {
        title: 'That username or password isn’t valid.',
        body: 'Remove any line break or tab, then try again.',
      },
      username: {
        title: 'That username isn’t valid.',
        body: 'Remove any colon, line break or tab, then try again.',
      },
      password: {
        title: 'A password can’t contain a line break or tab.',
        body: 'Enter your password again.',
      },
    },
    challenge: { any: { title: 'That entry can’t be used.', body: 'Check what you entered and try again.' } },
    changePassword: {
      any: { title: 'That password can’t be used.', body: 'Choose another one.' },
      currentPassword: {
        title: 'That can’t be your current password.',
        body: 'Remove any line break or tab, then try again.',
      },
      empty: { title: 'The new password is missing.', body: 'Enter it twice and try again.' },
      tooLong: { title: 'That password is too long.', body: 'Use at most 4,096 characters.' },
      inexpressible: {
        title: 'A password can’t contain a line break or tab.',
        body: 'Choose another one.',
      },
    },
  },
})
