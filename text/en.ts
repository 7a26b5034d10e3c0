/** English. The one catalogue for window, tray and notifications. Plain words: what happened, then what to do. */
import type { Failure, FailureCode, Kept, Revocation, SignInMethod } from '../preload/contract.ts'
import type { Format } from './format.ts'

/** What happened (`title`), then what to do next (`body`). */
export interface Sentence {
  readonly title: string
  readonly body: string
}

/** What was under way when it failed. `session`: a renewal, by itself or by `Renew now`. */
export type Operation = 'connect' | 'signIn' | 'session'

/** What can be wrong with a setting. */
type SettingsTrouble = 'unusable' | 'unreadable' | 'unsafe' | 'damaged'

type FailureSentence = (during: Operation, host: string, failure: Failure) => Sentence

const KEPT = 'Your session is kept.'

/** Times are milliseconds since the epoch. */
export const en = (format: Format) => {
  const failures: Record<FailureCode, FailureSentence> = {
    rejected: (during) =>
      during === 'signIn'
        ? { title: 'That username and password don’t match.', body: 'Check Caps Lock and try again.' }
        : { title: 'Your session has ended.', body: 'Sign in again, and your tools go on.' },
    sessionEnded: () => ({ title: 'Your session has ended.', body: 'Sign in again, and your tools go on.' }),
    rateLimited: (during, host, { retryAfter }) => {
      const wait = retryAfter === undefined ? 'a little' : format.wait(retryAfter * 1_000)
      return during === 'session'
        ? { title: `Latchkey has to wait for ${host}.`, body: KEPT }
        : { title: `There were too many tries at ${host}.`, body: `Wait ${wait}, then try again.` }
    },
    unreachable: (during, host) => ({
      title: `Latchkey can’t reach ${host}.`,
      body: {
        connect: 'Check the address and your network, then try again.',
        signIn: 'Check your network or VPN, then try again.',
        session: KEPT,
      }[during],
    }),
    untrustedCertificate: (during, host) => ({
      title: `Latchkey doesn’t trust the certificate of ${host}.`,
      body: `${during === 'session' ? KEPT : 'Nothing was sent.'} Show the details to your administrator.`,
    }),
    proxyAuthenticationRequired: (during) => ({
      title: 'Your network’s proxy wants you to sign in to it.',
      body:
        during === 'session'
          ? `${KEPT} Sign in to the proxy, and Latchkey goes on.`
          : 'Sign in to the proxy, then try again.',
    }),
    malformedResponse: (during, host) => ({
      title: `Latchkey doesn’t understand the answer of ${host}.`,
      body:
        during === 'session'
          ? `${KEPT} If this lasts, ask your administrator.`
          : 'Check the service address, or ask your administrator.',
    }),
    passwordRefused: (_, host) => ({ title: `The new password was refused by ${host}.`, body: 'Choose another one.' }),
    interactionRequired: () => ({
      title: 'Your identity provider asks for one more step.',
      body: 'Latchkey can’t show it. Ask your administrator for another way to sign in.',
    }),
    keychainUnavailable: (during) => ({
      title: 'Your keychain doesn’t answer.',
      body: during === 'session' ? `${KEPT} Unlock the keychain, and Latchkey goes on.` : 'Unlock it, then try again.',
    }),
    notConfigured: () => ({ title: 'Latchkey doesn’t know your service yet.', body: 'Enter its address first.' }),
    invalidInput: (during) =>
      during === 'connect'
        ? {
            title: 'That address can’t be used.',
            body: 'It starts with https:// and names your service, such as https://data.example.com.',
          }
        : {
            title: 'That username or password can’t be sent.',
            body: 'Look for characters that were pasted by mistake, and try again.',
          },
  }

  const until = (at: number, now: number): string => `until ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'under a minute left' : `${format.left(ms)} left`)
  const service = (host: string | undefined): string => host ?? 'the service'

  return {
    language: 'en',
    format,
    app: 'Latchkey',

    fields: { serviceAddress: 'Service address', username: 'Username', password: 'Password' },
    fieldErrors: {
      addressMissing: 'Enter the address of your service.',
      usernameMissing: 'Enter your username.',
      usernameColon: 'A username can’t contain a colon.',
      passwordMissing: 'Enter your password.',
    },
    buttons: {
      connect: 'Connect',
      connecting: 'Connecting…',
      signIn: 'Sign in',
      signingIn: 'Signing in…',
      signInAgain: 'Sign in again',
      signOut: 'Sign out',
      renewNow: 'Renew now',
      renewing: 'Renewing…',
      change: 'Change',
      back: 'Back',
    },

    connection: {
      heading: 'Where is your data?',
      lead: 'Your administrator knows the address.',
      hint: 'Only https. Nothing is sent before you sign in.',
    },

    signIn: {
      heading: 'Sign in',
      headingAgain: 'Sign in again',
      lead: 'Once here, and your tools stay signed in.',
      leadAgain: 'Once more, and your tools go on.',
      leadExpired: 'Your session has ended, and your tools wait.',
      choice: 'How to sign in',
      methods: { password: 'Password', sso: 'Single sign-on' } satisfies Record<SignInMethod, string>,
      ssoHint: 'Use the username and password of your company account.',
      capsLock: 'Caps Lock is on.',
      revocation: (revocation: Revocation, host: string | undefined): string | undefined =>
        ({
          none: undefined,
          done: 'You’re signed out. The session can’t be used again, anywhere.',
          pending: `You’re signed out here. Latchkey can’t reach ${service(host)} to end the session there too, and keeps trying.`,
          notPossible:
            'You’re signed out here. Your identity provider’s own token can’t be called back; it runs out by itself.',
        })[revocation],
      handedOutUntil: (at: number, now: number) => `Tools that hold an access token can use it ${until(at, now)}.`,
    },

    restoring: { heading: 'One moment', lead: 'Restoring your session…' },
    keychainLocked: {
      heading: 'Your keychain is locked',
      lead: 'Your session is in it, and safe.',
      body: 'Unlock the keychain, and Latchkey goes on by itself. Or sign in with your password.',
    },

    session: {
      heading: (name: string) => `Signed in as ${name}`,
      token: 'Access token',
      left,
      noToken: 'None for now',
      until,
      renewsAt: (at: number, now: number) => `Renews by itself at ${format.moment(at, now)}`,
      renewsLater: 'Renews as soon as it can',
      renewing: 'Renewing…',
      notRenewed: 'Can’t be renewed',
      asksAgain: 'You’ll be asked to sign in again',
      toolsWait: 'Your tools get one when the service is back.',
      retryIn: (ms: number) => `Trying again in ${format.wait(ms)}.`,
      retrying: 'Trying again now.',
      endingTitle: 'Your session can’t be renewed.',
      endingBody: (at: number, now: number) =>
        `Your tools go on ${until(at, now)}. Sign in again, and they don’t stop.`,
      renewed: 'Renewed.',
      stillNotRenewed: 'Not renewed.',
      kept: (kept: Kept, method: SignInMethod) =>
        ({
          keychain: `Kept in your keychain. ${
            method === 'password' ? 'Signing out makes it unusable everywhere.' : 'Signing out removes it from there.'
          }`,
          memory: 'This desktop offers no keychain: the session is kept in memory, and ends when you quit Latchkey.',
          unwritten:
            'Your keychain doesn’t take the session right now. All goes on, and Latchkey keeps trying; if you quit before, you may have to sign in again.',
        })[kept],
    },

    failure: (failure: Failure, during: Operation, host: string | undefined): Sentence =>
      failures[failure.code](during, service(host), failure),
    unexpected: {
      title: 'Something went wrong inside Latchkey.',
      body: 'Try again. If this lasts, quit Latchkey and start it again.',
    } satisfies Sentence as Sentence,
    serverSays: 'The service says:',

    details: {
      summary: 'Details',
      copy: 'Copy',
      copied: 'Copied.',
      selected: 'Selected: copy it with the keyboard.',
      operation: 'While',
      host: 'Asked',
      status: 'Answer',
      proxy: 'Proxy',
      certificate: 'Certificate of',
      issuer: 'Issued by',
      validity: 'Valid',
      validFromTo: (from: string, to: string) => `${format.timestamp(from)} to ${format.timestamp(to)}`,
      cause: 'Cause',
      at: 'Time',
      /** Names of endpoints and causes, in words; what isn't listed is shown as it is. */
      operations: {
        login: 'signing in',
        refresh: 'renewing',
        logout: 'signing out',
        changePassword: 'changing the password',
        connect: 'connecting',
      } as Readonly<Record<string, string>>,
      causes: {
        ENOTFOUND: 'no such host',
        EAI_AGAIN: 'the name server didn’t answer',
        ECONNREFUSED: 'the connection was refused',
        ECONNRESET: 'the connection was cut',
        ETIMEDOUT: 'no answer in time',
        ENETUNREACH: 'no way to the network',
        EHOSTUNREACH: 'no way to the host',
        CERT_HAS_EXPIRED: 'the certificate has expired',
        DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
        SELF_SIGNED_CERT_IN_CHAIN: 'an issuer of the certificate is signed by itself',
        UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of the certificate is unknown',
        UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is unknown',
        ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
      } as Readonly<Record<string, string>>,
    },

    /** One line for the whole state: the tray's tooltip, and what a screen reader hears when it changes. */
    state: {
      notConfigured: 'No service yet',
      restoring: 'Restoring your session',
      keychainLocked: 'Your keychain is locked',
      signedOut: 'Signed out',
      signingIn: 'Signing in',
      signedIn: (name: string, host: string | undefined) =>
        host === undefined ? `Signed in as ${name}` : `Signed in as ${name} · ${host}`,
      renewing: 'Renewing',
      unreachable: (host: string | undefined) => `Can’t reach ${service(host)}, session kept`,
      troubled: (host: string | undefined) => `No new access token from ${service(host)} yet, session kept`,
      needsYou: 'Needs you: sign in again',
      unwritten: 'Your keychain can’t be written',
    },

    /** A setting that could not be used. `where` is the variable, the file, or the key in it. */
    settingsProblem: ({ where, problem }: { readonly where: string; readonly problem: SettingsTrouble }): string =>
      ({
        unusable: `The value of ${where} can’t be used, and was left out.`,
        unreadable: `${where} can’t be read. Nothing in it was used.`,
        unsafe: `${where} can be changed by others than the administrator. Nothing in it was used.`,
        damaged: `${where} is damaged. Nothing in it was used.`,
      })[problem],

    tray: {
      tooltip: (line: string) => `Latchkey: ${line}`,
      timeLeft: (ms: number) => `Access token: ${left(ms)}`,
      show: 'Show Latchkey',
      renewNow: 'Renew now',
      signIn: 'Sign in…',
      signOut: 'Sign out',
      quit: 'Quit Latchkey',
      noTray: {
        title: 'Latchkey runs in the background.',
        body: 'This desktop shows no tray. Start Latchkey again to see its window.',
      } satisfies Sentence as Sentence,
    },

    notifications: {
      ending: (host: string | undefined, at: number, now: number): Sentence => ({
        title: 'Sign in again',
        body: `Your session with ${service(host)} can’t be renewed. Your tools go on ${until(at, now)}.`,
      }),
      ended: (host: string | undefined): Sentence => ({
        title: 'Sign in again',
        body: `Your session with ${service(host)} has ended, and your tools get no access token.`,
      }),
      unwritten: {
        title: 'Your keychain can’t be written',
        body: 'Your session goes on. If you quit Latchkey now, you may have to sign in again.',
      } satisfies Sentence as Sentence,
    },
  }
}
