/**
 * The narrow API between the window and the main process: every call, the parser of its argument, and the
 * types that cross. Main, preload and renderer all read this file; nothing else crosses.
 *
 * No token and no generic get/set/send ever.
 */
import * as v from 'valibot'

/** Everything that can go wrong, as one closed union. Each has a sentence of its own in `text/`. */
export const FAILURE_CODES = [
  'rejected',
  'sessionEnded',
  'rateLimited',
  'unreachable',
  'untrustedCertificate',
  'proxyAuthenticationRequired',
  'malformedResponse',
  'passwordRefused',
  'interactionRequired',
  'keychainUnavailable',
  'notConfigured',
  'invalidInput',
  'notConfirmed',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** What the details line shows. No field ever holds a secret. */
export interface FailureDetails {
  readonly operation?: string
  /** Host and port that was asked. */
  readonly host?: string
  readonly status?: number
  readonly proxy?: string
  readonly certificate?: {
    readonly subject: string
    readonly issuer: string
    readonly validFrom: string
    readonly validTo: string
  }
  /** The request had left when no answer came: what it asked for may have been done. */
  readonly sent?: true
  /** The technical cause in a few words, such as `ENOTFOUND` or `HTML answer`. */
  readonly cause?: string
  /** When the request was made: ISO 8601, UTC. */
  readonly at?: string
}

export interface Failure {
  readonly code: FailureCode
  /** The server's own words: plain text, at most 300 characters. */
  readonly serverText?: string
  /** Seconds to wait before asking again, from `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number
  /** Of `saveSettings` and `checkSettings`: what is wrong with which value. */
  readonly fields?: SettingProblems
  readonly details?: FailureDetails
}

/** The cause of a failure where a proxy has refused the credentials that it asked for. */
const PROXY_REFUSES = 'proxy credentials refused'

/** The cause of a failure if the session in the keychain came from another issuer than the settings name. */
export const OTHER_ISSUER = 'session of another issuer'

/** The proxy that a failure asks the user to sign in to; `undefined` where none does that takes a password. */
export function proxyToSignInTo({ code, details: { proxy, cause } = {} }: Failure): string | undefined {
  const asks = code === 'proxyAuthenticationRequired' && (cause === undefined || cause === PROXY_REFUSES)
  return asks ? proxy : undefined
}

/** Whether that proxy has refused the credentials there were. */
export const isProxyRefusal = ({ details }: Failure): boolean => details?.cause === PROXY_REFUSES

/** Expected failures are data; only bugs throw. */
export type Outcome<T = undefined> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

/** Where the session is kept. `unwritten`: the keychain has not taken the newest refresh token (yet). */
export type Kept = 'keychain' | 'memory' | 'unwritten'

export interface AccountView {
  readonly username: string
  /** The name to greet with: claim `name`, else `preferred_username`, else the username. */
  readonly displayName: string
  readonly method: SignInMethod
}

/** Times are milliseconds since the epoch, told by this desktop's own clock. */
export interface TokenView {
  readonly receivedAt: number
  readonly expiresAt: number
  /** When it is renewed next; absent where it can't be. */
  readonly renewsAt?: number
}

/**
 * What becomes of the refresh token after signing out. `refused`: the service would not end it, and it lives there
 * until it runs out. `notPossible`: its issuer has no way to end it.
 */
export type Revocation = 'none' | 'pending' | 'done' | 'refused' | 'notPossible'

export type SessionView =
  | { readonly kind: 'notConfigured' }
  | { readonly kind: 'restoring' }
  | { readonly kind: 'keychainLocked' }
  | {
      readonly kind: 'signedOut'
      readonly revocation: Revocation
      /** Until when access tokens that tools already hold are still good (ms since the epoch). */
      readonly handedOutUntil?: number
      /** Why the session ended, where the user did not end it. */
      readonly failure?: Failure
      /** Why the service could not be told so far, while the revocation is pending. */
      readonly revocationFailure?: Failure
    }
  | { readonly kind: 'signingIn' }
  | {
      readonly kind: 'active'
      readonly account: AccountView
      readonly token: TokenView
      readonly renewal: 'idle' | 'running'
      readonly kept: Kept
    }
  | {
      readonly kind: 'unreachable'
      readonly account: AccountView
      /** Absent when no access token is left. */
      readonly token?: TokenView
      readonly renewal: 'idle' | 'running'
      readonly kept: Kept
      readonly failure: Failure
      readonly retryAt: number
    }
  | {
      readonly kind: 'ending'
      readonly account: AccountView
      readonly token: TokenView
      readonly renewal: 'idle' | 'running'
      readonly kept: Kept
      readonly failure: Failure
    }
  | {
      readonly kind: 'expired'
      readonly account: AccountView
      readonly renewal: 'idle' | 'running'
      readonly failure: Failure
    }

/** The values of a connection. */
export const SETTING_FIELDS = [
  'baseAddress',
  'authUrl',
  'providerDomain',
  'realm',
  'scope',
  'audience',
  'clientId',
  'clientSecret',
] as const
export type SettingField = (typeof SETTING_FIELDS)[number]

/** Where a value comes from; the first that has it wins. What isn't the user's own can't be changed in the window. */
export const SOURCES = ['policy', 'environment', 'user'] as const
export type Source = (typeof SOURCES)[number]

export interface SettingView {
  /** Absent where nobody has set it, and always for the client secret. */
  readonly value?: string
  /** Who set it; absent where nobody has. */
  readonly source?: Source
}

export type SettingsView = { readonly [F in SettingField]: SettingView }

/** Why a value can't be used. `managed`: it is not the user's to change. `missing`: the others need it. */
export type SettingProblem =
  | 'managed'
  | 'missing'
  | 'unusable'
  | 'notAnAddress'
  /** The client secret there is goes to another provider. */
  | 'enterAgain'
  /** The client secret is managed: it goes to a managed address, and not to the user's. */
  | 'managedSecret'
  /** Another connection has this address, or this name. */
  | 'taken'
  | 'notHttps'
  | 'hasCredentials'
  | 'hasQuery'
/** `name`: of a connection that is to be added. */
export type SettingProblems = { readonly [F in SettingField | 'name']?: SettingProblem }

/** What the connection is called that needs no name: the one that tools get where they name none. */
export const DEFAULT_CONNECTION = 'default'

/** What a connection may be called: short, and the same in a file, a query and on a command line. */
export const CONNECTION_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** Whether a new connection can have this name. SECURITY: `constructor` can't be one; every object already has it. */
export const isNewConnectionName = (name: string): boolean => CONNECTION_NAME.test(name) && !(name in Object.prototype)

export interface ConnectionView {
  /** The service's base address, normalised. */
  readonly baseAddress: string
  /** What a person calls it: host, and port where it isn't the scheme's own. */
  readonly host: string
  /** Who set it; a managed value can't be changed in the window. */
  readonly source: Source
  readonly methods: readonly SignInMethod[]
}

/** One of the connections beside one another, with its session. */
export interface NamedConnectionView {
  readonly name: string
  /** Absent where it isn't configured: the default one alone. */
  readonly connection?: ConnectionView
  readonly session: SessionView
  /** The user has made it, and can take it away. */
  readonly isOwn: boolean
}

/** A tool that was handed an access token, by the name it gives itself. */
export interface ToolUse {
  readonly name: string
  /** When it last was: milliseconds since the epoch. */
  readonly lastAt: number
  readonly count: number
}

/** The local endpoint that hands out access tokens. */
export interface AgentView {
  readonly enabled: boolean
  /** Who decided that; absent where nobody has. Only the user's own can be changed in the window. */
  readonly source?: 'policy' | 'user'
  /** Why it doesn't serve though it should, already in the user's language. */
  readonly problem?: string
  /** Of the connection shown, since its person has signed in and the agent is on; the most recent first. */
  readonly uses: readonly ToolUse[]
}

/** What the window was asked to open, from outside of it. A later one has a higher number. */
export interface Opening {
  readonly screen: 'settings' | 'signIn'
  readonly number: number
}

/** What one check of this computer found: text to show as it is, already in the user's language. */
export interface CheckLine {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly sentence: string
  /** What to do about it. */
  readonly advice?: string
  readonly details?: readonly string[]
}

/** All that the window shows: the first delivery of a subscription, and every one after it, is the whole. */
export interface AppView {
  readonly version: string
  /** All of them, the default one first. `connection`, `session` and `settings` are those of the shown one. */
  readonly connections: readonly NamedConnectionView[]
  /** Whether the user may have others than the administrator names. */
  readonly mayAddConnections: boolean
  /** The name of the shown one; the calls about a connection or its session are about that. */
  readonly shown: string
  readonly connection?: ConnectionView
  readonly session: SessionView
  readonly settings: SettingsView
  readonly agent: AgentView
  /** Absent where the app can't start at login. `offered`: the user has not been asked yet. */
  readonly startAtLogin?: { readonly enabled: boolean; readonly offered: boolean }
  readonly opening?: Opening
  /** What checking this computer has found so far; absent where the user has not asked for it. */
  readonly checkUp?: { readonly running: boolean; readonly lines: readonly CheckLine[] }
  /** A newer version that a restart brings; absent where none is ready. */
  readonly update?: { readonly version: string }
  /** The name of the file that the diagnostics were saved to last, while the window is open. */
  readonly savedDiagnostics?: string
  /** Sentences about settings that could not be used, already in the user's language. */
  readonly notices: readonly string[]
}

export const SIGN_IN_METHODS = ['password', 'sso'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

// RFC 7617 section 2: no control character can be expressed; nor has half a surrogate pair a form in UTF-8.
const INEXPRESSIBLE = /[\p{Cc}\p{Cs}]/u

const username = v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(512, 'tooLong'))
const password = v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(4096, 'tooLong'))
/** One that Basic credentials can carry. */
const basicPassword = v.pipe(
  password,
  v.check((value) => !INEXPRESSIBLE.test(value), 'inexpressible'),
)

/** The current one. What cannot be sent cannot be right, and the sentence is not about the new one. */
const currentPassword = v.pipe(
  v.string(),
  v.check((value) => v.is(basicPassword, value), 'currentPassword'),
)

/** The same of a username. RFC 7617 section 2: the first colon ends the user-id. */
const basicUsername = v.pipe(
  username,
  v.check((value) => !value.includes(':') && !INEXPRESSIBLE.test(value), 'inexpressible'),
)

export const signInInput = v.variant('method', [
  v.strictObject({
    method: v.literal('password'),
    username: basicUsername,
    password: basicPassword,
  }),
  v.strictObject({ method: v.literal('sso'), username, password }),
])

const proxyCredentials = v.strictObject({
  /** As the failure names it. */
  proxy: v.pipe(v.string(), v.minLength(1, 'empty'), v.maxLength(300, 'tooLong')),
  username: basicUsername,
  password: v.pipe(basicPassword, v.maxLength(1024, 'tooLong')),
})

const connectionName = v.pipe(v.string(), v.regex(CONNECTION_NAME, 'notAName'))
const newConnectionName = v.pipe(v.string(), v.check(isNewConnectionName, 'notAName'))

const setting = v.optional(v.pipe(v.string(), v.maxLength(2048, 'tooLong')))

/** A value that isn't named stays as it is; an empty one is taken away. */
export const settingsInput = v.strictObject({
  baseAddress: setting,
  authUrl: setting,
  providerDomain: setting,
  realm: setting,
  scope: setting,
  audience: setting,
  clientId: setting,
  clientSecret: setting,
} satisfies { readonly [F in SettingField]: v.GenericSchema })

/** Refuses arrays, which valibot's object schemas accept as objects without keys. */
const record = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.unknown(),
    v.check((input) => !Array.isArray(input), 'array'),
    schema,
  )

/** Every call: its name and what it takes. The handler of each is demanded by `Handlers`. */
export const calls = {
  /**
   * Keeps all values or none; `invalidInput` names what is wrong with each. Another address is another session. The user
   * confirms outside the page that credentials go to another address (`notConfirmed`), except for the first one.
   */
  saveSettings: record(settingsInput),
  /** Says what `saveSettings` would, and changes nothing. */
  checkSettings: record(settingsInput),
  /** What the window shows, and what its calls are about, from now on. */
  showConnection: record(v.strictObject({ name: connectionName })),
  /**
   * One more beside the others; then it is shown. A name or an address that another has is refused (`invalidInput`). The
   * user confirms it as in `saveSettings`.
   */
  addConnection: record(
    v.strictObject({
      name: newConnectionName,
      baseAddress: v.pipe(v.string(), v.maxLength(2048, 'tooLong')),
    }),
  ),
  /** Signs out and forgets one of the user's own. Where the service could not end its session, nothing is removed. */
  removeConnection: record(v.strictObject({ name: connectionName })),
  signIn: record(signInInput),
  /**
   * Proves the current password by a login (`rejected` if it is wrong), then changes it. The new one meets no rules but
   * the service's own; only what cannot be used to sign in is refused here.
   */
  changePassword: record(v.strictObject({ currentPassword, password: basicPassword })),
  signOut: v.undefined(),
  renewNow: v.undefined(),
  /** To the clipboard, and away from it a minute later. */
  copyToken: v.undefined(),
  setStartAtLogin: record(v.strictObject({ enabled: v.boolean() })),
  setAgent: record(v.strictObject({ enabled: v.boolean() })),
  /** Kept for the proxy that asks for them; for another they are refused (`invalidInput`). Then all goes on. */
  saveProxyCredentials: record(proxyCredentials),
  /** What is found comes with the view, line by line; answers when all of it is there. */
  checkComputer: v.undefined(),
  /** Restarts into the version that is ready. Refused while somebody signs in (`invalidInput`). Signs nobody out. */
  restartToUpdate: v.undefined(),
  /** Asks where to, and writes a text there that holds no secret. */
  saveDiagnostics: v.undefined(),
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = v.InferOutput<(typeof calls)[N]>

/** What the main process must answer. */
export type Handlers = {
  readonly [N in CallName]: (input: CallInput<N>) => Promise<Outcome>
}

/** What the renderer sees as `window.latchkey`. */
export type LatchkeyApi = {
  readonly [N in CallName]: CallInput<N> extends undefined
    ? () => Promise<Outcome>
    : (input: CallInput<N>) => Promise<Outcome>
} & {
  /** Delivers the whole view at once and after every change; returns the undo. */
  readonly onView: (listener: (view: AppView) => void) => () => void
}

/** Channel names, in one place; each call has its own. */
export const channelOf = (name: CallName): string => `latchkey:${name}`
export const VIEW_CHANNEL = 'latchkey:view'
export const SUBSCRIBE_CHANNEL = 'latchkey:subscribe'
