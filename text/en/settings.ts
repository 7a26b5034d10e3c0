import type { PolicyPlaceKind, SettingField, SettingProblem, Source, UserSwitch } from '../../contract/settings.ts'
import type { Kept } from '../../contract/views.ts'
import type { Format } from '../format.ts'
import type { EnKeychain } from './keychain.ts'

export const enSettings = (format: Format, keychain: EnKeychain) => ({
  heading: 'Settings',
  unsaved: {
    title: 'Save your changes?',
    body: 'Your changes aren’t saved yet.',
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
    resource: 'Resource',
    prompt: 'Prompt',
    dataAddress: 'Data address',
    gateway: 'Gateway',
    gatewayPort: 'Gateway port',
    gatewayMethods: 'Gateway requests',
  } satisfies Record<SettingField, string>,
  data: 'Data and gateway',
  gatewayMethods: { read: 'Only reading', all: 'All' },
  flows: { 'password-realm': 'In this window', browser: 'In the browser' },
  hints: {
    providerDomain: 'Only if it differs from the provider address.',
    redirectPort: 'Only if your provider requires a fixed redirect address.',
    resource: 'Only if your provider requires the parameter resource.',
    prompt: 'Only if your provider requires a question, such as consent.',
    dataAddress: 'Only if your data isn’t at the service address.',
    gatewayPort: 'Only if your administrator gave you a fixed port.',
  } satisfies {
    readonly [F in SettingField]?: string
  },
  toCorrect: (count: number): string => `Correct the ${format.number(count)} marked values, then save again.`,
  problem: (field: SettingField, problem: SettingProblem): string =>
    ({
      managed: 'Your administrator or this computer’s environment sets this.',
      missing: field === 'baseAddress' ? 'Enter the address of your service.' : 'Single sign-on also needs this value.',
      unusable:
        field === 'providerDomain'
          ? 'Enter only a domain, such as login.example.com.'
          : 'This value can’t be used. Check that you pasted the right text.',
      notAnAddress: `This isn’t a valid address. Enter one such as https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'This address isn’t secure. Use the one that starts with https://.',
      hasCredentials: 'Remove the username and password: you enter them when you sign in.',
      hasQuery: 'Remove the ? or # and everything after it.',
      taken: 'Another connection already uses this.',
      enterAgain: 'The saved secret is for the previous provider. Enter the one for this address.',
      managedSecret:
        'The client secret is set outside Latchkey. It is sent only to an address that is also set outside Latchkey.',
    })[problem],
  /** Why a value is locked. `variable`: the environment variable. `place`: the kind of policy. */
  managed: (source: Source, variable: string, place?: PolicyPlaceKind): string | undefined =>
    ({
      policy:
        place === undefined
          ? 'Set by your administrator.'
          : `Set by your administrator (${{ registry: 'registry', preferences: 'configuration profile', file: 'policy file' }[place]}).`,
      environment: `Set by ${variable}.`,
      user: undefined,
    })[source],
  leaving: (host: string, kept: Kept): string =>
    ({
      keychain: `You’re signed in to ${host}. That session stays in ${keychain.your} for when you come back. Your tools get no access token until you sign in at the new address.`,
      memory: `You’re signed in to ${host}. That session is kept until you quit Latchkey. Your tools get no access token until you sign in at the new address.`,
      unsaved: `You’re signed in to ${host}, but that session can’t be saved in ${keychain.your} right now. You may have to sign in again if you come back to that address.`,
    })[kept],
  saved: 'Settings saved.',

  sso: {
    heading: 'Single sign-on',
    setUp: 'Set up',
    notSetUp: 'Not set up',
    lead: 'Ask your administrator for these values.',
    secretHint: `Saved in ${keychain.your}.`,
    secretStored: `A secret is saved in ${keychain.your}. Enter another to replace it.`,
    secretRemoved: 'The secret will be removed when you save.',
    removeSecret: 'Remove secret',
    keepSecret: 'Keep the secret',
  },

  desktop: {
    heading: 'This computer',
    hint: 'Changes here take effect immediately.',
    switches: {
      agent: 'Let tools ask for access tokens',
      startAtLogin: 'Start Latchkey at login',
    } satisfies Record<UserSwitch, string>,
    notSet: 'This couldn’t be changed. Try again, or quit Latchkey and start it again.',
  },

  about: {
    heading: 'Help and about',
    version: (version: string) => `Latchkey ${version}`,
    help: 'The start page has code for your scripts and notebooks, once you’re signed in. In a terminal, latchkey --help lists what the command can do.',
    diagnosticsHint: 'For your administrator: a diagnostics file, without passwords or tokens.',
    saved: (folder: string) => `Saved to ${folder}.`,
    licences: 'Open-source licences',
    licencesLead: (count: number) =>
      format.plural(count, {
        one: 'Latchkey contains one third-party package.',
        other: `Latchkey contains ${format.number(count)} third-party packages.`,
      }),
    noLicences: 'The list can’t be shown. Start Latchkey again to see it.',
  },
})
