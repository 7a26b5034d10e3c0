import type { GrantName, IssuerKind } from '../../contract/grants.ts'
import type { Kept, Revocation, UnreadReason } from '../../contract/views.ts'
import { createFailureSentences } from '../failures.ts'
import type { Format } from '../format.ts'
import type { Sentence, ServerRole } from '../sentence.ts'
import type { Strength } from '../strength.ts'
import type { System } from '../system.ts'
import { enAgent } from './agent.ts'
import { enChallenge } from './challenge.ts'
import { enCheckComputer } from './check-computer.ts'
import { enConnections } from './connections.ts'
import { enDefect } from './defects.ts'
import { enDesktop } from './desktop.ts'
import { enDetails } from './details.ts'
import { enFailures } from './failures.ts'
import { enKeychain } from './keychain.ts'
import { enProxy } from './proxy.ts'
import { enSessionEnd } from './session-end.ts'
import { enSettings } from './settings.ts'
import { enTools } from './tools.ts'

/** Why a setting was ignored. An unknown setting has a text of its own. */
type SettingsFileProblem =
  | 'unusable'
  | 'strictest'
  | 'closed'
  | 'missing'
  | 'unreadable'
  | 'unsafe'
  | 'notPrivate'
  | 'damaged'
  | 'taken'
  | 'managedSecret'
  | 'notAllowed'

interface Unreadable {
  readonly heading: string
  readonly lead: string
  readonly body: string
}

/** Times are milliseconds since the epoch. */
export const en = (format: Format, system: System) => {
  const keychain = enKeychain(system)
  const until = (at: number, now: number): string => `until ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'under a minute left' : `${format.left(ms)} left`)
  const service = (host: string | undefined): string => host ?? 'the service'
  const who = ({ issuer, host }: ServerRole): string =>
    issuer === 'identityProvider' ? (host ?? 'your identity provider') : service(host)

  const silent = {
    heading: `${keychain.Your} isn’t responding`,
    lead: 'Latchkey needs it to restore your session.',
    body: 'Latchkey keeps trying and continues automatically. Or sign in again.',
  }

  return {
    language: 'en',
    format,
    system,
    app: 'Latchkey',

    fields: {
      serviceAddress: 'Service address',
      username: 'Username',
      password: 'Password',
      code: 'Code',
      recoveryCode: 'Recovery code',
      currentPassword: 'Current password',
      newPassword: 'New password',
      repeatNewPassword: 'Repeat new password',
    },
    fieldErrors: {
      usernameMissing: 'Enter your username.',
      usernameColon: 'A username can’t contain a colon.',
      passwordMissing: 'Enter your password.',
      codeMissing: 'Enter the code.',
      recoveryCodeMissing: 'Enter a recovery code.',
      currentPasswordMissing: 'Enter your current password.',
      currentPasswordWrong: 'The current password is wrong.',
      newPasswordMissing: 'Enter a new password.',
      repetitionMissing: 'Enter the new password again.',
      repetitionDiffers: 'The passwords don’t match.',
    },
    browserPage: {
      signedIn: { title: 'You’re signed in.', body: 'You can close this page. Latchkey continues automatically.' },
      declined: { title: 'You weren’t signed in.', body: 'The sign-in was declined. Latchkey says what you can do.' },
      failed: { title: 'The sign-in failed.', body: 'Return to Latchkey: it says why, and what you can do.' },
    },
    buttons: {
      connect: 'Connect',
      connecting: 'Connecting…',
      continueInBrowser: 'Continue in your browser',
      continueAnyway: 'Continue anyway',
      signIn: 'Sign in',
      signingIn: 'Signing in…',
      continue: 'Continue',
      continuing: 'Checking…',
      cancel: 'Cancel',
      lookAgain: 'Check again',
      lookingAgain: 'Checking…',
      signOut: 'Sign out',
      refreshNow: 'Renew now',
      refreshing: 'Renewing…',
      changePassword: 'Change password',
      changingPassword: 'Changing…',
      copyToken: 'Copy access token',
      save: 'Save',
      saving: 'Saving…',
      saveDiagnostics: 'Save diagnostics',
      showInFolder: 'Show in folder',
      settings: 'Settings',
      showPassword: 'Show password',
      hidePassword: 'Hide password',
      showPasswords: 'Show passwords',
      hidePasswords: 'Hide passwords',
      back: 'Back',
    },

    connection: {
      heading: 'Connect to your data platform',
      lead: 'Ask your administrator for the address.',
    },

    signIn: {
      heading: 'Sign in',
      leadAgain: 'Sign in to keep your tools running.',
      choice: 'How to sign in',
      methods: { password: 'Password', passwordRealm: 'Single sign-on', browser: 'Browser' } satisfies Record<
        GrantName,
        string
      >,
      providerHint: 'Use the username and password of your company account.',
      capsLock: 'Caps Lock is on.',
      cancelled: 'Sign-in cancelled.',
      incomplete: (names: readonly string[]): Sentence => ({
        title: 'Single sign-on isn’t fully set up',
        body: `Missing: ${names.join(', ')}. Show this to your administrator.`,
      }),
      withPassword: 'Sign in with a password',
      startAtLogin: 'Start Latchkey at login',
      revocation: (revocation: Revocation, host: string | undefined): string | undefined =>
        ({
          none: undefined,
          done: `You’re signed out, here and at ${service(host)}.`,
          refused: `You’re signed out here, but ${service(host)} refused to end the session there. Tell your administrator.`,
          pending: `You’re signed out here. Latchkey keeps trying to end the session at ${service(host)}.`,
          notPossible:
            'You’re signed out. Your identity provider can’t revoke its token, so Latchkey has deleted it here; it expires by itself.',
        })[revocation],
      handedOutUntil: (at: number, now: number) =>
        `Tools that already have an access token can use it ${until(at, now)}.`,
    },

    challenge: enChallenge,

    stillWaiting: (asked: ServerRole): string => `Still waiting for ${who(asked)}…`,
    tryAgainNow: 'You can try again now.',
    restoring: {
      heading: 'One moment',
      lead: 'Restoring your session…',
      slow: 'This is taking longer than usual.',
      network: 'Check your network or VPN.',
    },
    sessionUnread: {
      // Nobody can unlock Credential Manager, so no text on Windows says to unlock it.
      locked:
        system === 'windows'
          ? silent
          : {
              heading: `${keychain.Your} is locked`,
              lead: 'Latchkey needs it to restore your session.',
              body: 'Unlock it, and Latchkey continues automatically. Or sign in again.',
            },
      unavailable: silent,
      missing: {
        heading: `Your session isn’t in ${keychain.your}`,
        lead: keychain.explanation,
        body: keychain.recovery,
      },
    } satisfies Record<UnreadReason, Unreadable> as Record<UnreadReason, Unreadable>,
    lookedAgain: `Your session still isn’t in ${keychain.your}.`,

    unknownVersion: {
      heading: 'Saved by another version of Latchkey',
      lead: 'This version can’t read your session.',
      body: 'Update Latchkey to get it back. Or sign in for now: that session ends when you quit, and the saved one stays as it is.',
    },

    session: {
      /** The accessible name of the user's menu. Some providers don't name the user. */
      menu: (name: string): string => (name === '' ? 'Your account: menu' : `${name}: menu`),
      connected: 'Your tools are signed in',
      ready: 'Ready for your tools',
      access: (at: number, now: number): string => `Your tools have access until ${format.moment(at, now)}`,
      endsIn: (ms: number): string =>
        `${ms < 60_000 ? 'Less than a minute left' : `${format.left(ms)} left`}. Then sign in again: your identity provider doesn’t let Latchkey renew the session.`,
      /** This and the next three texts are parts of `outage`. */
      tokenUntil: (at: number, now: number): string => `Your tools have a token until ${format.moment(at, now)}`,
      noToken: 'Your tools can’t get a token right now',
      retryIn: (ms: number) => `trying again in ${format.wait(ms)}`,
      retrying: 'trying again now',
      outage: (tools: string, retry: string): string => `${tools}; ${retry}.`,
      retryNow: 'Try again now',
      endingTitle: 'Your session can’t be renewed',
      endingBody: 'Sign in to avoid an interruption.',
      shortLived: 'Your service’s tokens expire within seconds, so tools may have to wait for a new one.',
      refreshing: 'Renewing…',
      refreshed: 'Renewed.',
      stillNotRefreshed: 'Couldn’t renew. Latchkey keeps trying.',
      copied: 'Copied. Cleared from the clipboard in 1 minute.',
      notCopied: 'Not copied: there is no access token right now.',
      signingOut: {
        title: 'Sign out?',
        body: (count: number): string =>
          format.plural(count, {
            one: 'A tool uses your session, or did in the last few minutes. It can’t get another token once you sign out.',
            other: `${format.number(count)} tools use your session, or did in the last few minutes. They can’t get another token once you sign out.`,
          }),
        stay: 'Stay signed in',
        signOut: 'Sign out anyway',
      },
      kept: {
        keychain: 'You stay signed in after a restart.',
        memory: `${keychain.none}: you stay signed in until you quit Latchkey.`,
      } satisfies Record<Exclude<Kept, 'unsaved'>, string> as Record<Exclude<Kept, 'unsaved'>, string>,
    },

    notices: {
      count: (count: number): string =>
        format.plural(count, { one: '1 notice', other: `${format.number(count)} notices` }),
      show: 'Show this to your administrator.',
    },

    agent: enAgent(format),
    tools: enTools,
    settings: enSettings(format, keychain),
    defect: enDefect,

    changePassword: {
      heading: 'Change password',
      lead: 'Your tools stay signed in.',
      changed: 'Password changed.',
      advice: 'A few unusual words make a strong password.',
      strength: ({ level, hint }: Strength) => {
        const word = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'][level]
        if (level > 2) return `${word}.`
        const because = {
          common: 'too similar to a common password',
          word: 'a single word is easy to guess',
          name: 'names are easy to guess',
          pattern: 'sequences and repeats are easy to guess',
          date: 'dates are easy to guess',
          short: 'another word would help',
        }[hint]
        return `${word}: ${because}.`
      },
    },

    failure: createFailureSentences(enFailures(format, keychain)),
    unexpected: {
      title: 'Something went wrong in Latchkey.',
      body: 'Try again. If this keeps happening, quit Latchkey and start it again.',
    } satisfies Sentence as Sentence,
    says: {
      service: 'The service says:',
      identityProvider: 'Your identity provider says:',
    } satisfies Record<IssuerKind, string>,

    details: enDetails(format),

    state: {
      notConfigured: 'Not set up',
      restoring: 'Restoring your session',
      sessionUnread: {
        locked: system === 'windows' ? `${keychain.Your} isn’t responding` : `${keychain.Your} is locked`,
        unavailable: `${keychain.Your} isn’t responding`,
        missing: `Your session isn’t in ${keychain.your}`,
      } satisfies Record<UnreadReason, string> as Record<UnreadReason, string>,
      unknownVersion: 'Session saved by another version',
      signedOut: 'Signed out',
      waiting: (tools: readonly string[]): string =>
        `Waiting for you to sign in: ${format.few(tools, (count) => `${count} more`)}`,
      signingIn: 'Signing in',
      signedIn: (name: string, host: string | undefined) =>
        name === ''
          ? `Signed in at ${service(host)}`
          : host === undefined
            ? `Signed in as ${name}`
            : `Signed in as ${name} · ${host}`,
      refreshing: 'Renewing',
      unreachable: (asked: ServerRole) => `Can’t reach ${who(asked)}`,
      refreshFailing: (asked: ServerRole) => `No new access token from ${who(asked)} yet`,
      sessionKept: 'session kept',
      ending: 'Your session can’t be renewed. Sign in again',
      expired: 'Your session has ended. Sign in again',
      noToken: 'Your tools can’t get a token',
      unsaved: 'Your session can’t be saved',
    },

    /** `where`: the name of the setting or file that was ignored. */
    settingsProblem: ({ where, problem }: { readonly where: string; readonly problem: SettingsFileProblem }): string =>
      ({
        unusable: `The value of ${where} is invalid and was ignored.`,
        strictest: `The value of ${where} is invalid. Until it is corrected, the strictest value applies.`,
        closed: `Until ${where} is corrected, tools get no tokens, AI clients get no data, the gateway is off, and no connections can be added.`,
        missing: `${where} doesn’t exist on this computer.`,
        unreadable: `${where} can’t be read and was ignored.`,
        unsafe: `${where} was ignored because users other than the administrator can change it.`,
        notPrivate: `${where} was ignored because another user could have changed it. Check your settings.`,
        damaged: `${where} is damaged and was ignored.`,
        taken: `${where} has the address of another connection and was ignored.`,
        notAllowed: `${where} was ignored because you can’t add connections of your own here. The connection’s session is kept.`,
        managedSecret: `${where} was ignored. The client secret is set outside Latchkey, and is sent only to a provider address that is also set outside Latchkey.`,
      })[problem],

    proxy: enProxy(keychain),
    sessionEnd: enSessionEnd(format, keychain),
    check: enCheckComputer(format),
    connections: enConnections,
    desktop: enDesktop(keychain),
    tray: {
      tooltip: (line: string) => `Latchkey: ${line}`,
      timeLeft: (ms: number) => `Access token: ${left(ms)}`,
      timeLeftOver: (ms: number) => `Access token: about ${format.left(ms)} left`,
      show: 'Show Latchkey',
      signIn: 'Sign in…',
      help: 'Help',
      refreshNow: 'Renew now',
      signOut: 'Sign out',
      quit: 'Quit Latchkey',
      noTray: {
        title: 'Latchkey is still running.',
        body: 'This desktop has no tray. Start Latchkey again to open its window.',
      } satisfies Sentence as Sentence,
    },

    notifications: {
      ending: (host: string | undefined, at: number, now: number): Sentence => ({
        title: 'Sign in again',
        body: `Your session with ${service(host)} can’t be renewed. Your tools keep working ${until(at, now)}.`,
      }),
      aboutToEnd: (host: string | undefined, at: number, now: number): Sentence => ({
        title: 'Your session is about to end',
        body: `Your tools have access to ${service(host)} ${until(at, now)}. Sign in again to avoid an interruption.`,
      }),
      ended: (host: string | undefined): Sentence => ({
        title: 'Sign in again',
        body: `Your session with ${service(host)} has ended. Your tools can’t get a token until you sign in.`,
      }),
      waiting: (tool: string, host: string | undefined): Sentence => ({
        title: `${tool} is waiting for you to sign in`,
        body: `Sign in at ${service(host)}, and it goes on at once.`,
      }),
      /** Shown when a tool asked for a token and didn't wait for it. */
      asked: (tool: string, host: string | undefined): Sentence => ({
        title: `${tool} needs you to sign in`,
        body: `It got no token, because you aren’t signed in at ${service(host)}. Sign in, then run it again.`,
      }),
      unsaved: {
        title: 'Your session can’t be saved',
        body: `Saving it in ${keychain.your} failed: ${keychain.unwritable}. You stay signed in, and Latchkey keeps trying. If you quit now, you may have to sign in again.`,
      } satisfies Sentence as Sentence,
    },
  }
}

/** All texts of the app. A catalogue that lacks a text, or has one too many, doesn't compile. */
export type Texts = ReturnType<typeof en>
