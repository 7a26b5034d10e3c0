/** English: the settings, and About Latchkey. */
import type { SettingField, SettingProblem, Source, UserSwitch } from '../../contract/settings.ts'
import type { Kept } from '../../contract/views.ts'
import type { Format } from '../format.ts'

export const enSettings = (format: Format) => ({
  heading: 'Settings',
  /** Above the settings of the shown connection. */
  connection: 'This connection',
  /** Asked before typed values are lost. */
  unsaved: {
    title: 'Save your changes?',
    body: 'What you entered isn’t saved yet.',
    save: 'Save changes',
    discard: 'Discard',
    keep: 'Keep editing',
  },
  labels: {
    baseAddress: 'Service address',
    displayName: 'Name in this window',
    authUrl: 'Provider address',
    flow: 'How to sign in',
    providerDomain: 'Provider domain',
    realm: 'Realm',
    scope: 'Scope',
    audience: 'Audience',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    redirectPort: 'Redirect port',
  } satisfies Record<SettingField, string>,
  flows: { 'password-realm': 'In this window', browser: 'In the browser' },
  /** Hints for filling in a value. */
  hints: {
    providerDomain: 'If it isn’t the one in the provider address.',
    redirectPort: 'Only if your provider needs the same address each time.',
  } satisfies {
    readonly [F in SettingField]?: string
  },
  /** Announced once if several values can't be saved. */
  toCorrect: (count: number): string => `${format.number(count)} values need correcting. Nothing was saved.`,
  /** The problem with a value, next to its field. */
  problem: (field: SettingField, problem: SettingProblem): string =>
    ({
      managed: 'This is set outside of Latchkey, and can’t be changed here.',
      missing: field === 'baseAddress' ? 'Enter the address of your service.' : 'Single sign-on needs this as well.',
      unusable:
        field === 'providerDomain'
          ? 'Enter a domain alone, such as login.example.com.'
          : 'This can’t be used. Look for text that was pasted by mistake.',
      notAnAddress: `This is no address. Enter one such as https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'This address isn’t safe. Use the one that starts with https://.',
      hasCredentials: 'Leave out the username and the password: you enter them when you sign in.',
      hasQuery: 'Leave out everything from the ? or the # on.',
      taken: 'Another of your connections has this already.',
      enterAgain: 'This secret is for the earlier provider. Enter the one for this address.',
      managedSecret:
        'The client secret is set outside of Latchkey. It is only sent to an address that is set there as well.',
    })[problem],
  /** Why a value is locked. `variable` is the name of an environment variable. */
  managed: (source: Source, variable: string): string | undefined =>
    ({
      policy: 'Set by your administrator.',
      environment: `Set by ${variable}.`,
      user: undefined,
    })[source],
  /** Asked before another address is saved while signed in. */
  leaving: (host: string, kept: Kept): string =>
    ({
      keychain: `You’re signed in at ${host}. That session stays in your keychain for when you come back; until you sign in at the new address, your tools get no access token.`,
      memory: `You’re signed in at ${host}. That session is kept until you quit Latchkey; until you sign in at the new address, your tools get no access token.`,
      unwritten: `You’re signed in at ${host}, but that session can’t be saved to your keychain right now: you may have to sign in there again when you come back.`,
    })[kept],
  saved: 'Settings saved.',

  sso: {
    heading: 'Single sign-on',
    setUp: 'Set up',
    notSetUp: 'Not set up',
    lead: 'Your administrator knows these values.',
    secretHint: 'Kept in your keychain.',
    secretStored: 'One is kept in your keychain. Enter another to replace it.',
    secretRemoved: 'It is removed when you save.',
    removeSecret: 'Remove it',
    keepSecret: 'Keep it',
  },

  desktop: {
    heading: 'On this computer',
    hint: 'Changes here take effect immediately.',
    switches: {
      agent: 'Let tools ask for access tokens',
      startAtLogin: 'Start Latchkey at login',
    } satisfies Record<UserSwitch, string>,
    notSet: 'This could not be changed. Try again, or quit Latchkey and start it again.',
  },

  about: {
    open: 'About Latchkey',
    heading: 'About Latchkey',
    version: (version: string) => `Version ${version}`,
    lead: 'Signs you in once, and keeps your tools signed in.',
    help: 'In a terminal, latchkey --help tells how your scripts and notebooks get an access token.',
    diagnosticsHint: 'For your administrator: a diagnostics file, without passwords or tokens.',
    saved: (file: string) => `Saved as ${file}.`,
    licences: 'What is inside',
    licencesLead: (count: number) =>
      format.plural(count, {
        one: 'Latchkey contains one third-party package.',
        other: `Latchkey contains ${format.number(count)} third-party packages. Thank you.`,
      }),
    noLicences: 'The list can’t be shown. Start Latchkey again, and it should be there.',
  },
})
