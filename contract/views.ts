/** The window's view of the app. No view ever holds a token. */
import type { ChallengeView } from './challenges.ts'
import type { Failure } from './failures.ts'
import type { GrantDescription, IssuerKind } from './grants.ts'
import type { DesktopSwitch, PolicyPlaceKind, SettingsView, Source, UserSwitch } from './settings.ts'

/**
 * Where the session is kept. `unsaved`: the keychain has not stored the newest refresh token, or the settings can't say
 * that it has.
 */
export type Kept = 'keychain' | 'memory' | 'unsaved'

export interface AccountView {
  readonly username: string
  /** The display name: the claim `name`, otherwise `preferred_username`, otherwise the username. */
  readonly displayName: string
  /** The grant that the user signed in with. */
  readonly grant: GrantDescription
}

/**
 * When the session will end by itself, in milliseconds since the epoch. `expected`: at about this time; from `warnsAt`,
 * the user is warned. `notBefore`: a refresh moves the end. `never`: the issuer sets no limit.
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

/** Times are milliseconds since the epoch, by this desktop's own clock. */
export interface TokenView {
  readonly receivedAt: number
  readonly expiresAt: number
  /** The time of the next scheduled refresh; absent if the session can't be refreshed. */
  readonly refreshesAt?: number
}

/**
 * The state of the refresh token's revocation after a sign-out. `refused`: the service refused, and the token stays
 * valid until it expires. `notPossible`: its issuer can't revoke tokens.
 */
export type Revocation = 'none' | 'pending' | 'done' | 'refused' | 'notPossible'

/**
 * Why a session can't be restored although the settings have a marker for it. `missing`: the keychain is open, and
 * contains no session.
 */
export type UnreadReason = 'locked' | 'unavailable' | 'missing'

export type SessionView =
  | { readonly kind: 'notConfigured' }
  /** `issuer` is set once the stored session has been found and its first refresh has started at this issuer. */
  | { readonly kind: 'restoring'; readonly issuer?: IssuerKind }
  /** The settings have a marker for a session, but the keychain has not returned the session yet. */
  | { readonly kind: 'sessionUnread'; readonly why: UnreadReason }
  /** An unknown version of Latchkey wrote the session. */
  | { readonly kind: 'unknownVersion' }
  | {
      readonly kind: 'signedOut'
      readonly revocation: Revocation
      /** When the last access token that a tool received will expire, in milliseconds since the epoch. */
      readonly handedOutUntil?: number
      /** Why the session ended, if the user did not end it. */
      readonly failure?: Failure
      /** Why the last attempt to revoke failed. Absent unless `revocation` is `pending` or `refused`. */
      readonly revocationFailure?: Failure
      /** Where it failed. */
      readonly revocationIssuer?: IssuerKind
    }
  /** `challenge`: the step that the user must complete before the sign-in can continue. */
  | { readonly kind: 'signingIn'; readonly challenge?: ChallengeView }
  | {
      readonly kind: 'active'
      readonly account: AccountView
      readonly token: TokenView
      readonly refresh: 'idle' | 'running'
      readonly kept: Kept
      /** Absent if it isn't known. */
      readonly end?: SessionEnd
    }
  | {
      readonly kind: 'unreachable'
      readonly account: AccountView
      /** Absent if there is no valid access token. */
      readonly token?: TokenView
      readonly refresh: 'idle' | 'running'
      readonly kept: Kept
      readonly failure: Failure
      readonly retryAt: number
      readonly end?: SessionEnd
    }
  | {
      readonly kind: 'ending'
      readonly account: AccountView
      readonly token: TokenView
      readonly refresh: 'idle' | 'running'
      readonly kept: Kept
      readonly failure: Failure
    }
  | {
      readonly kind: 'expired'
      readonly account: AccountView
      readonly refresh: 'idle' | 'running'
      readonly failure: Failure
    }

export interface ConnectionView {
  /** The service's base address, normalised. */
  readonly baseAddress: string
  /** The host of the base address, and the port if it isn't the scheme's default. */
  readonly host: string
  /** The name from the user or the administrator; absent if there is none. */
  readonly displayName?: string
  /** The source of the address; a managed value can't be changed in the window. */
  readonly source: Source
  /** The address of the data, if it isn't the base address. */
  readonly dataAddress?: string
  /** Every way to sign in that the connection offers; the usual one first. */
  readonly grants: readonly GrantDescription[]
}

/** Values to prefill in the next sign-in's form. */
export interface LastSignIn {
  readonly username: string
  /** The grant's name. */
  readonly grant: string
}

/** A connection with its session. */
export interface ConnectionSessionView {
  readonly name: string
  /** Absent if the connection isn't configured, which is only possible for the default connection. */
  readonly connection?: ConnectionView
  readonly session: SessionView
  /** True if the user added the connection, and so can remove it. */
  readonly isOwn: boolean
}

/** A tool, by the name in its `User-Agent`. */
export interface ToolName {
  readonly name: string
  /** The remote machine on which the tool runs, if it asked through `latchkey ssh`. */
  readonly host?: string
}

/** A tool that received an access token. */
export interface ToolUse extends ToolName {
  /** When the tool last received a token, in milliseconds since the epoch. */
  readonly lastAt: number
  readonly count: number
  /** Set while the tool listens for new tokens, so it is still running. */
  readonly isListening?: true
}

/** The tools that need the user to sign in to a connection. */
export interface SignInNeed {
  /** The connection's name. */
  readonly connection: string
  /** The tools that wait, the one that began first first. */
  readonly waiting: readonly ToolName[]
  /** The first tool that waited or asked since the session ended. */
  readonly first: ToolName
}

/** The state of a switch. */
export interface SwitchView {
  readonly enabled: boolean
  /** The source that set the switch; absent if no source did. In the window, users can change only their own value. */
  readonly source?: Source
  /** The place in the policy, if the policy set the switch. */
  readonly place?: PolicyPlaceKind
}

/** The switches that users can change. A switch that the desktop stores is absent if this system can't store it. */
export type SwitchesView = { readonly [N in Exclude<UserSwitch, DesktopSwitch>]: SwitchView } & {
  readonly [N in DesktopSwitch]?: SwitchView
}

/** The local endpoint that hands out access tokens. The switch `agent` turns it on and off. */
export interface AgentView {
  /** Why the agent can't run although it is turned on: text in the user's language, to show unchanged. */
  readonly problem?: string
  /** The command `latchkey`, if it isn't on the PATH, as in a checkout. */
  readonly command?: string
  /** The user's shell, if it isn't a POSIX shell. */
  readonly shell?: 'powershell'
  /**
   * The tools that received a token of the shown connection, the most recent first. The list is cleared when the user
   * signs out, when someone else signs in, and when the agent is turned off.
   */
  readonly uses: readonly ToolUse[]
}

/** The gateway of the shown connection. Its switch is the setting `gateway`. */
export type GatewayView =
  | { readonly kind: 'off' }
  /** The policy or the environment turned it off. */
  | { readonly kind: 'forbidden' }
  /** `signedOut`: it listens, and answers every request with a sentence until the user signs in. */
  | {
      readonly kind: 'listening' | 'signedOut'
      /** What the user types into a tool; the username is `GATEWAY_USERNAME`. */
      readonly address: string
      /** False until the user has made a password. */
      readonly hasPassword: boolean
    }
  /** `by`: the program, or the other user, that listens there; absent where the system doesn't tell. */
  | { readonly kind: 'portTaken'; readonly port: number; readonly by?: string }
  | { readonly kind: 'failed'; readonly port: number; readonly cause: string }

/** A request from outside the window to open a screen. Later requests have higher numbers. */
export interface NavigationRequest {
  /** `signOut`: asks the user to confirm signing out. */
  readonly screen: 'settings' | 'signIn' | 'signOut' | 'about'
  readonly number: number
}

/** The result of one check: texts in the user's language, to show unchanged. */
export interface CheckLine {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly sentence: string
  /** The suggested next step. */
  readonly advice?: string
  readonly details?: readonly string[]
}

/** The whole content of the window. Every update that the window receives is complete. */
export interface AppView {
  readonly version: string
  /** All connections, the default one first. `connection`, `session` and `settings` belong to the shown connection. */
  readonly connections: readonly ConnectionSessionView[]
  /** True if the user may add connections. */
  readonly mayAddConnections: boolean
  /** The name of the shown connection; calls about a connection or its session apply to it. */
  readonly shown: string
  readonly connection?: ConnectionView
  readonly session: SessionView
  readonly settings: SettingsView
  /** The last sign-in at the shown connection; absent if there was none. */
  readonly lastSignIn?: LastSignIn
  readonly agent: AgentView
  /** Of all connections. The session's state says if a tool waits for a sign-in, or for the service or the keychain. */
  readonly needs: readonly SignInNeed[]
  readonly gateway: GatewayView
  readonly switches: SwitchesView
  /** True if the app can start at login, and the user may decide whether it does but has not decided yet. */
  readonly offersStartAtLogin: boolean
  readonly navigation?: NavigationRequest
  /** The results of the checks so far, in the order of their arrival; absent if the user has not started them. */
  readonly check?: { readonly running: boolean; readonly total: number; readonly lines: readonly CheckLine[] }
  /** The newer version that a restart installs; absent if none is ready. */
  readonly update?: { readonly version: string }
  /** The name of the folder in which the user saved diagnostics; absent if none were saved since the window opened. */
  readonly savedDiagnostics?: string
  /** Sentences about settings that could not be used, in the user's language, to show unchanged. */
  readonly notices: readonly string[]
}
