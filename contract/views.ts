/** The window's view of the app. SECURITY: no view ever holds a token. */
import type { ChallengeView } from './challenges.ts'
import type { Failure } from './failures.ts'
import type { GrantDescription, IssuerKind } from './grants.ts'
import type { DesktopSwitch, PolicyPlaceKind, SettingsView, Source, UserSwitch } from './settings.ts'

/** Where the session is kept. `unsaved`: its newest refresh token couldn't be stored yet. */
export type Kept = 'keychain' | 'memory' | 'unsaved'

export interface AccountView {
  readonly username: string
  /** The claim `name`, or else `preferred_username`, or else the username. */
  readonly displayName: string
  readonly grant: GrantDescription
}

/**
 * The times are milliseconds since the epoch. The user is warned from `warnsAt` on. `notBefore`: each refresh moves
 * the end. `never`: the issuer sets no limit.
 */
export type SessionEnd =
  | {
      readonly kind: 'expected'
      readonly at: number
      readonly saidBy: 'provider' | 'earlierSessions'
      readonly warnsAt?: number
    }
  | { readonly kind: 'notBefore'; readonly at: number }
  | { readonly kind: 'never' }

/** Times are milliseconds since the epoch, by this computer's clock. */
export interface TokenView {
  readonly receivedAt: number
  readonly expiresAt: number
  /** The next scheduled refresh; absent if the session can't be refreshed. */
  readonly refreshesAt?: number
}

/** `refused`: the token stays valid until it expires. `notPossible`: the issuer can't revoke tokens. */
export type Revocation = 'none' | 'pending' | 'done' | 'refused' | 'notPossible'

/** `missing`: the keychain is open and has no session, although the settings say that there is one. */
export type UnreadReason = 'locked' | 'unavailable' | 'missing'

interface SignedIn {
  readonly account: AccountView
  readonly refresh: 'idle' | 'running'
  readonly kept: Kept
}

export type SessionView =
  | { readonly kind: 'notConfigured' }
  /** `issuer`: who is asked for the first refresh; absent until the keychain has returned the session. */
  | { readonly kind: 'restoring'; readonly issuer?: IssuerKind }
  /** The settings say that there is a session, but the keychain has not returned it yet. */
  | { readonly kind: 'sessionUnread'; readonly why: UnreadReason }
  | { readonly kind: 'unknownVersion' }
  | {
      readonly kind: 'signedOut'
      readonly revocation: Revocation
      /** The expiry of the last access token given to a tool, in milliseconds since the epoch. */
      readonly handedOutUntil?: number
      /** Why the session ended; absent if the user ended it. */
      readonly failure?: Failure
      /** Why the last attempt to revoke the token failed. Only if `revocation` is `pending` or `refused`. */
      readonly revocationFailure?: Failure
      readonly revocationIssuer?: IssuerKind
    }
  /** `challenge`: what the user must do before the sign-in continues. */
  | { readonly kind: 'signingIn'; readonly challenge?: ChallengeView }
  | (SignedIn & { readonly kind: 'active'; readonly token: TokenView; readonly end?: SessionEnd })
  | (SignedIn & {
      readonly kind: 'unreachable'
      readonly token?: TokenView
      readonly failure: Failure
      readonly retryAt: number
      readonly end?: SessionEnd
    })
  | (SignedIn & { readonly kind: 'ending'; readonly token: TokenView; readonly failure: Failure })
  | {
      readonly kind: 'expired'
      readonly account: AccountView
      readonly refresh: 'idle' | 'running'
      readonly failure: Failure
    }

export interface ConnectionView {
  /** The base address in its normalised form. */
  readonly baseAddress: string
  /** The base address's host, and its port if that isn't the scheme's default. */
  readonly host: string
  readonly displayName?: string
  /** The source of the address. Users can't change a managed address. */
  readonly source: Source
  /** Where the data is; absent if it is at the base address. */
  readonly dataAddress?: string
  /** Every way to sign in to this connection, the usual one first. */
  readonly grants: readonly GrantDescription[]
}

export interface LastSignIn {
  readonly username: string
  readonly grant: string
}

export interface ConnectionSessionView {
  readonly name: string
  /** Absent if the default connection isn't configured yet. */
  readonly connection?: ConnectionView
  readonly session: SessionView
  readonly isOwn: boolean
}

/** `name` comes from the tool's `User-Agent`. */
export interface ToolName {
  readonly name: string
  /** The remote machine, if the tool asked through `latchkey ssh`. */
  readonly host?: string
}

export interface ToolUse extends ToolName {
  /** The time at which the tool last got a token, in milliseconds since the epoch. */
  readonly lastAt: number
  readonly count: number
  /** Present while the tool listens for new tokens, which shows that it is still running. */
  readonly isListening?: true
}

export interface SignInNeed {
  readonly connection: string
  /** The waiting tools, in the order in which they began to wait. */
  readonly waiting: readonly ToolName[]
  /** The first tool that asked for a token since the session ended, whether it waits or not. */
  readonly first: ToolName
}

export interface SwitchView {
  readonly enabled: boolean
  /** Absent if no source set it. In the window, users change only their own choice. */
  readonly source?: Source
  readonly place?: PolicyPlaceKind
}

/** The switches that users can change. One that this system can't store is absent. */
export type SwitchesView = { readonly [N in Exclude<UserSwitch, DesktopSwitch>]: SwitchView } & {
  readonly [N in DesktopSwitch]?: SwitchView
}

export interface AgentView {
  /** Why the agent can't run although it is turned on, in the user's language. */
  readonly problem?: string
  /** How to call `latchkey` if it isn't on the PATH, for example in a checkout. */
  readonly command?: string
  /** The shell for which the command is written; absent for a POSIX shell. */
  readonly shell?: 'powershell'
  /** The most recent first. A sign-out, another person's sign-in and turning off the agent clear the list. */
  readonly uses: readonly ToolUse[]
}

export type GatewayView =
  | { readonly kind: 'off' }
  | { readonly kind: 'forbidden' }
  /** `signedOut`: the gateway listens, but refuses each request with a message that asks the user to sign in. */
  | {
      readonly kind: 'listening' | 'signedOut'
      /** What the user enters in a tool, with `GATEWAY_USERNAME` as the username. */
      readonly address: string
      readonly hasPassword: boolean
    }
  /** `by`: the program or the user that listens there, if the system tells. */
  | { readonly kind: 'portTaken'; readonly port: number; readonly by?: string }
  | { readonly kind: 'failed'; readonly port: number; readonly cause: string }

/** A request from outside the window, such as the tray, to show a screen. Later requests have higher numbers. */
export interface NavigationRequest {
  readonly screen: 'settings' | 'signIn' | 'signOut' | 'about'
  readonly number: number
}

export interface CheckLine {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly sentence: string
  readonly advice?: string
  readonly details?: readonly string[]
}

/** Everything that the window shows. Each update contains all of it. */
export interface AppView {
  readonly version: string
  /** The default one first. `connection`, `session` and `settings` below belong to the shown one. */
  readonly connections: readonly ConnectionSessionView[]
  readonly mayAddConnections: boolean
  readonly shown: string
  readonly connection?: ConnectionView
  readonly session: SessionView
  readonly settings: SettingsView
  readonly lastSignIn?: LastSignIn
  readonly agent: AgentView
  readonly needs: readonly SignInNeed[]
  readonly gateway: GatewayView
  readonly switches: SwitchesView
  readonly offersStartAtLogin: boolean
  readonly navigation?: NavigationRequest
  /** The results so far, in order of arrival; absent if the user has not started the checks. */
  readonly check?: { readonly running: boolean; readonly total: number; readonly lines: readonly CheckLine[] }
  readonly update?: { readonly version: string }
  /** The folder of the diagnostics file; absent if none was saved since the window opened. */
  readonly savedDiagnostics?: string
  readonly notices: readonly string[]
}
