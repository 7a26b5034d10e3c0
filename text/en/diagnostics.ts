import type { Source } from '../../contract/settings.ts'
import { isoDay } from '../day.ts'
import type { System } from '../system.ts'
import { enKeychain } from './keychain.ts'

interface CheckText {
  readonly sentence: string
  readonly advice: string
}

interface Certificate {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: number
  readonly validTo: number
}

interface Untrusted {
  readonly kind: 'ended' | 'early' | 'otherHost' | 'unknownIssuer' | 'other'
  readonly failing: Certificate | undefined
  readonly cause: string
  readonly names: string | undefined
}

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

const day = (at: number): string => isoDay(at) ?? 'unknown'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** A duration in minutes up to two hours, in hours up to three days, and then in days. `duration`: milliseconds. */
function span(duration: number): string {
  const minutes = Math.round(duration / 60_000)
  if (minutes < 120) return plural(minutes, 'minute', 'minutes')
  const hours = Math.round(minutes / 60)
  return hours < 72 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

const ends = (at: number, daysLeft: number): string =>
  daysLeft < 0 ? `expired on ${day(at)}` : `until ${day(at)}, ${plural(daysLeft, 'day', 'days')} left`

const sources: Readonly<Record<Source, string>> = {
  policy: 'set by the administrator',
  environment: 'set by an environment variable',
  user: 'set by the user',
}

export const enDiagnostics = (system: System) => {
  const keychain = enKeychain(system)
  return {
    head: (at: string) => `Latchkey doctor, ${at}`,
    foot: (failed: number, warnings: number): string => {
      const counted = [
        ...(failed > 0 ? [plural(failed, 'check failed', 'checks failed')] : []),
        ...(warnings > 0 ? [plural(warnings, 'warning', 'warnings')] : []),
      ]
      return counted.length === 0 ? 'No problems found.' : `${counted.join(', ')}.`
    },
    log: 'The last lines of the log:',
    noLog: 'The log is empty.',
    summary: {
      heading: 'To read out to support:',
      version: 'version',
      sessions: 'sessions',
      result: 'result',
      problem: 'first problem',
      advice: 'what to do',
      noProblem: 'none',
      onlyWarning: (problem: string) => `none, but a warning: ${problem}`,
      noAdvice: 'nothing',
    },

    states: { ok: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' },
    checks: {
      versions: 'versions',
      sandbox: 'sandbox',
      settings: 'settings',
      proxy: 'proxy',
      name: 'name',
      certificate: 'certificate',
      service: 'service',
      provider: 'identity provider',
      clock: 'clock',
      browser: 'browser',
      keychain: keychain.name,
      agent: 'agent',
      gateway: 'gateway',
      tray: 'tray',
    },

    /** `check`: the one that failed. */
    skipped: (check: string): string => `Depends on “${check}”, which failed.`,
    late: (seconds: number): CheckText => ({
      sentence: `There was no response within ${plural(seconds, 'second', 'seconds')}.`,
      advice: 'Try again. If this continues, show this report to your administrator.',
    }),
    broken: (cause: string): CheckText => ({
      sentence: `The check could not run (${cause}).`,
      advice: 'Show this report to your administrator.',
    }),

    versions: { app: (version: string) => `Latchkey ${version}` },

    sandbox: {
      good: 'Latchkey runs with Chromium’s sandbox.',
      off: {
        sentence: 'Latchkey runs without Chromium’s sandbox, which protects this computer from malicious pages.',
        advice: 'Start Latchkey from your own account, not as root, and without --no-sandbox.',
      } satisfies CheckText as CheckText,
    },

    settings: {
      policyUnusable: {
        sentence: 'The administrator’s policy file is invalid.',
        advice:
          'Show this report to your administrator. Until the file is corrected, Latchkey keeps the values that it read before, if any.',
      } satisfies CheckText as CheckText,
      good: 'All settings are valid.',
      incomplete: (connection: string, missing: readonly string[]): CheckText => ({
        sentence: `Single sign-on of the connection ${connection} isn’t fully set up: ${list(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.`,
        advice: 'Add what is missing where the other values are set, or show this report to your administrator.',
      }),
      orBrowser: 'Or set flow to browser: then only scope and clientId are needed.',
      useless: (names: readonly string[]): CheckText => ({
        sentence: `${list(names)} ${names.length === 1 ? 'has' : 'have'} no effect without authUrl.`,
        advice: 'Set authUrl, or show this report to your administrator.',
      }),
      nothingSet: {
        sentence: 'Latchkey doesn’t know your service yet.',
        advice: 'Enter its address in Latchkey’s window. Ask your administrator for it.',
      } satisfies CheckText as CheckText,
      problems: (count: number): CheckText => ({
        sentence: `${plural(count, 'setting', 'settings')} ${count === 1 ? 'is' : 'are'} invalid.`,
        advice: 'Correct this, or show this report to your administrator.',
      }),
      noLog: (cause: string): CheckText => ({
        sentence: `All settings are valid, but the log can’t be written (${cause}).`,
        advice: 'Make sure that you can write to its folder, then restart Latchkey.',
      }),
      /** `value`: `undefined` for a secret, `null` if the setting is locked without a value. */
      value: (name: string, value: string | null | undefined, source: Source, where?: string) =>
        `${name}: ${value === null ? 'none' : (value ?? 'set, not shown')} (${[sources[source], ...(where ? [where] : [])].join(': ')})`,
      /** A value that can't be parsed isn't shown: any part of it may be a password. */
      variable: (name: string, value: string | undefined) => `${name}: ${value ?? 'invalid, not shown'} (variable)`,
      path: (name: string, path: string, isMissing: boolean) => `${name}: ${path}${isMissing ? ' (none)' : ''}`,
    },

    proxy: {
      direct: (host: string) => `Latchkey connects to ${host} without a proxy.`,
      through: (host: string, proxy: string) => `Latchkey connects to ${host} through the proxy ${proxy}.`,
      order: (ways: readonly string[]) => `Tried in this order: ${ways.join(', ')}`,
      basic: (host: string, proxy: string) =>
        `Latchkey connects to ${host} through the proxy ${proxy}, which requires a username and password. Latchkey asks you for them once.`,
      kerberos: (host: string, proxy: string) =>
        `${host} is reached through the proxy ${proxy}, which asks for Kerberos. You have a ticket for it.`,
      noTicket: (proxy: string, host: string): CheckText => ({
        sentence: `The proxy ${proxy} asks for Kerberos, and you have no ticket for it.`,
        advice: `Sign in to this computer with your company account, or run kinit, then check again. If that doesn’t help, ask your administrator whether the proxy has the name ${host} in Kerberos.`,
      }),
      noKerberos: (proxy: string): CheckText => ({
        sentence: `The proxy ${proxy} asks for Kerberos, and this computer has no library for it.`,
        advice: 'Ask your administrator to install Kerberos here (in Debian and Ubuntu: libgssapi-krb5-2).',
      }),
      unsupported: (proxy: string, schemes: string, host: string): CheckText => ({
        sentence: `The proxy ${proxy} requires a sign-in method that Latchkey doesn’t support: ${schemes}.`,
        advice: `Here, Latchkey can sign in to proxies with a password or with Kerberos. To reach ${host}, ask your administrator for one of these: Basic authentication at the proxy, access without a sign-in, or a local proxy that signs in for you.`,
      }),
      refused: (host: string, proxy: string, status: number): CheckText => ({
        sentence: `The proxy ${proxy} refused to connect to ${host} (HTTP ${status}).`,
        advice: `Ask your administrator to allow ${host} at the proxy.`,
      }),
      unreached: (host: string, proxy: string, variable: string | undefined, cause: string): CheckText => ({
        sentence: `The proxy ${proxy} (from ${variable ?? 'your system’s settings'}) doesn’t answer: ${cause}.`,
        advice: `${variable === undefined ? 'Correct the proxy in your system’s settings' : `Correct or remove the variable ${variable}`}, or check your network or VPN. Latchkey uses it for ${host}.`,
      }),
    },

    name: {
      found: (host: string, addresses: readonly string[]) => `${host} resolves to ${addresses.join(', ')}.`,
      isAddress: (host: string) => `${host} is an IP address and needs no DNS lookup.`,
      leftToProxy: (host: string) => `The proxy resolves ${host}.`,
      notFound: (host: string, cause: string): CheckText => ({
        sentence: `The name ${host} can’t be resolved: ${cause}.`,
        advice: 'Check the spelling, and your network or VPN: many names only exist inside a company network.',
      }),
    },

    certificate: {
      good: (host: string, { validTo }: Certificate, daysLeft: number) =>
        `The certificate of ${host} is trusted (${ends(validTo, daysLeft)}).`,
      endsSoon: (host: string, { subject, validTo }: Certificate, daysLeft: number): CheckText => ({
        sentence: `The certificate of ${host} is trusted but expires soon: ${subject} (${ends(validTo, daysLeft)}).`,
        advice: 'Ask your administrator to renew it.',
      }),
      notNeeded: (host: string) => `${host} is on this computer and needs no certificate.`,
      untrusted: (host: string, { kind, failing, cause, names }: Untrusted): CheckText => ({
        sentence: [
          `The certificate of ${host} is not trusted: ${cause}.`,
          ...(failing === undefined
            ? []
            : [`The affected certificate belongs to ${failing.subject} and was issued by ${failing.issuer}.`]),
          ...(kind === 'otherHost' && names !== undefined ? [`It is valid for ${names}.`] : []),
        ].join(' '),
        advice: {
          ended:
            'Ask the people who run the service to renew it. If it hasn’t really expired, correct this computer’s clock.',
          early: 'Correct this computer’s clock.',
          otherHost: 'Check the service address.',
          unknownIssuer:
            'If your company has its own certificate authority, ask your administrator to add it to the system or to Latchkey’s settings.',
          other: 'Show this report to your administrator.',
        }[kind],
      }),
      unreached: (host: string, cause: string): CheckText => ({
        sentence: `An encrypted connection to ${host} could not be established: ${cause}.`,
        advice: 'Check your network, VPN or proxy, and the address.',
      }),
      /** Number 0 is the host's own certificate. */
      link: (index: number, { subject, issuer, validFrom, validTo }: Certificate, daysLeft: number) =>
        `${index}: ${subject}; issued by ${issuer}; valid from ${day(validFrom)}, ${ends(validTo, daysLeft)}`,
    },

    browser: {
      good: (host: string) => `Browser sign-in opens a page at ${host}.`,
      waiting: (host: string) => `Latchkey is waiting for you to sign in with your browser, on a page at ${host}.`,
      notFound: (host: string, cause: string): CheckText => ({
        sentence: `The sign-in page of ${host} can’t be found: ${cause}.`,
        advice: 'Check the provider’s address and the client’s settings with your administrator.',
      }),
      refused: (host: string, cause: string): CheckText => ({
        sentence: `${host} doesn’t accept Latchkey’s settings: ${cause}.`,
        advice: 'Compare client ID, client secret, scope and audience with the client’s registration there.',
      }),
      errorPage: (host: string, status: number, redirect: string): CheckText => ({
        sentence: `${host} answers a sign-in with an error (HTTP ${status}).`,
        advice: `Check the client ID, and that this redirect address (if it shows no port, with any) is registered there: ${redirect}`,
      }),
      guessed: (host: string): CheckText => ({
        sentence: `${host} has no OpenID configuration at this address, so Latchkey guesses where its sign-in page is.`,
        advice:
          'Check the provider’s address (authUrl): without a configuration, only /authorize and /oauth/token below it work. Signing out can’t revoke the refresh token there.',
      }),
      noRefresh: (host: string, cause: string): CheckText => ({
        sentence: `${host} probably won’t let people stay signed in: it doesn’t offer this client refresh tokens (${cause}).`,
        advice:
          'Allow the client refresh tokens there. Otherwise, people sign in again whenever their access token expires.',
      }),
      portTaken: (cause: string): CheckText => ({
        sentence: `Browser sign-in can’t use its port (${cause}).`,
        advice: 'Close the program that uses the port, or ask your administrator for another redirectPort.',
      }),
    },

    service: {
      good: (host: string, status: number) => `${host} responds (HTTP ${status}).`,
      unreached: (host: string, cause: string): CheckText => ({
        sentence: `${host} can’t be reached: ${cause}.`,
        advice: 'Check your network, VPN or proxy, and the address.',
      }),
      closed: (host: string, cause: string): CheckText => ({
        sentence: `${host} can’t be reached: ${cause}.`,
        advice:
          'Nothing answers at this address and port. Check how they are spelled, then ask whether the service is running.',
      }),
      unencrypted: (host: string, cause: string): CheckText => ({
        sentence: `${host} answered without encryption: ${cause}.`,
        advice: 'Check the port. For a service on this computer, begin the address with http://.',
      }),
      ill: (host: string, status: number): CheckText => ({
        sentence: `${host} responds with an error (HTTP ${status}).`,
        advice: 'Try again later. If this continues, tell the people who run the service.',
      }),
      redirects: (host: string, status: number): CheckText => ({
        sentence: `${host} redirects (HTTP ${status}), and Latchkey doesn’t follow redirects.`,
        advice: 'Check the service address: its path may be missing, or a network’s sign-in page may be in the way.',
      }),
      page: (host: string): CheckText => ({
        sentence: `A web page answered instead of ${host}.`,
        advice:
          'Check the service address. On a network that has a sign-in page, open a browser and sign in there; behind a company proxy, ask your administrator.',
      }),
      notThere: (host: string): CheckText => ({
        sentence: `${host} responds, but there is no sign-in at this address (HTTP 404).`,
        advice: 'Check the service address: its path may be missing.',
      }),
      tooMany: (host: string): CheckText => ({
        sentence: `${host} is rate limiting (HTTP 429).`,
        advice: 'Wait a few minutes.',
      }),
      unasked: (host: string, status: number): CheckText => ({
        sentence: `${host} accepted a sign-in without credentials (HTTP ${status}).`,
        advice: 'Check the service address: a service should refuse such a sign-in.',
      }),
    },

    clock: {
      good: (host: string) => `This computer’s clock matches ${host}’s.`,
      unknown: (host: string): CheckText => ({
        sentence: `${host} didn’t send the time.`,
        advice: 'Compare this computer’s clock with another.',
      }),
      wrong: (by: number, isAhead: boolean, host: string): CheckText => ({
        sentence: `This computer’s clock is ${span(by)} ${isAhead ? 'ahead of' : 'behind'} ${host}’s.`,
        advice: 'Let the system set its time automatically.',
      }),
    },

    keychain: {
      works: `Latchkey can save, read and delete an entry in ${keychain.your}.`,
      otherEntry: (name: string): string =>
        `The entry “${name}” belongs to another computer, or to this one before its ID changed or the folder of the settings was moved. If no Latchkey uses the entry any longer, delete it.`,
      locked: {
        sentence: `${keychain.Your} is locked.`,
        advice: system === 'windows' ? keychain.unlock : 'Unlock it, then check again.',
      } satisfies CheckText as CheckText,
      uncreated: {
        sentence: 'There is no default keyring yet.',
        advice:
          'Your desktop asks you to create one when you sign in to Latchkey. If it doesn’t, create one in its app for passwords and keys, and make it the default.',
      } satisfies CheckText as CheckText,
      failing: (cause: string): CheckText => ({
        sentence: `${keychain.Your} responds with an error: ${cause}.`,
        advice: `Sign out of this computer and sign in again. Until ${keychain.your} works, your session ends when you quit Latchkey.`,
      }),
      absent: (cause: string): CheckText => ({
        sentence: `${keychain.none}: ${cause}.`,
        advice:
          'Install and start one that provides the Secret Service, such as GNOME Keyring or KWallet. Without one, your session ends when you quit Latchkey.',
      }),
    },

    agent: {
      offBy: (source: Source): string => `Off, ${sources[source]}: tools get no access token.`,
      off: 'Turned off in Settings → This computer: tools get no access token.',
      good: (socket: string) => `The agent is running at ${socket}, and only you can use it.`,
      pipe: (file: string) => `The agent’s pipe is listed in ${file}.`,
      notServing: (path: string): CheckText => ({
        sentence: `The agent isn’t running at ${path}.`,
        advice: 'Start Latchkey if it isn’t running.',
      }),
      foreign: (path: string): CheckText => ({
        sentence: `${path} belongs to another user.`,
        advice: 'Ask your administrator to remove it, or set LATCHKEY_SOCKET to another path.',
      }),
      open: (path: string, mode: string): CheckText => ({
        sentence: `Other users can use ${path} (mode ${mode}).`,
        advice:
          'Quit Latchkey, remove the permissions of other users (0700 for the folder, 0600 for the socket), and start it again.',
      }),
      visible: (path: string, mode: string): CheckText => ({
        sentence: `The agent is running, but other users can list its folder, ${path} (mode ${mode}).`,
        advice: 'Set the folder’s mode to 0700.',
      }),
      notASocket: (path: string): CheckText => ({
        sentence: `${path} isn’t a socket.`,
        advice: 'Move it elsewhere, or set LATCHKEY_SOCKET to another path.',
      }),
      pathTooLong: (path: string): CheckText => ({
        sentence: `The agent’s path is too long for a socket: ${path}.`,
        advice: 'Set LATCHKEY_SOCKET to a path of at most 103 bytes.',
      }),
      /** The text doesn't show the path, because an invalid one may contain anything. */
      pathNotAbsolute: {
        sentence: 'LATCHKEY_SOCKET isn’t an absolute path.',
        advice: 'Set it to an absolute path.',
      } satisfies CheckText as CheckText,
    },

    gateway: {
      good: (address: string): string => `Tools can reach the gateway at ${address}.`,
      notRunning: (address: string): CheckText => ({
        sentence: `The gateway isn’t running at ${address}.`,
        advice: 'Start Latchkey if it isn’t running.',
      }),
      portTaken: (port: number): CheckText => ({
        sentence: `Another program uses the gateway’s port, ${port}.`,
        advice:
          'Close that program, or choose another gateway port in Latchkey. If you don’t know the program, make a new gateway password: your tools may have sent it the old one.',
      }),
      noPassword: (address: string): CheckText => ({
        sentence: `The gateway at ${address} has no password yet, so it refuses all tools.`,
        advice: 'Run latchkey gateway --new-password, and enter the password in your tool.',
      }),
      proxied: (address: string, proxy: string): CheckText => ({
        sentence: `Tools send requests for ${address} to a proxy (${proxy}).`,
        advice: 'Add 127.0.0.1 to NO_PROXY, or to the exceptions of the system’s proxy.',
      }),
    },

    tray: {
      present: 'The desktop shows tray icons.',
      absent: {
        sentence: 'The desktop shows no tray icons.',
        advice: 'Latchkey works without one. For an icon, turn on your desktop’s extension for AppIndicator.',
      } satisfies CheckText as CheckText,
      unknown: {
        sentence: 'The desktop doesn’t say whether it shows tray icons.',
        advice: 'If you see Latchkey’s icon, nothing is wrong.',
      } satisfies CheckText as CheckText,
    },
  }
}

export type DiagnosticsTexts = ReturnType<typeof enDiagnostics>
