/** What the window shows. No view ever holds a token. */
import type { ChallengeView } from './challenges.ts'
import type { Failure } from './failures.ts'
import type { GrantDescription } from './grants.ts'
import type { SettingsView, Source } from './settings.ts'

/** Where the session is kept. `unwritten`: the keychain has not taken the newest refresh token (yet). */
export type Kept = 'keychain' | 'memory' | 'unwritten'

export interface AccountView {
  readonly username: string
  /** The name to greet with: claim `name`, else `preferred_username`, else the username. */
  readonly displayName: string
  /** What it was signed in with. */
  readonly grant: GrantDescription
}

/** Times are milliseconds since the epoch, told by this desktop's own clock. */
export interface TokenView {
  readonly receivedAt: number
  readonly expiresAt: number
  /** When it is refreshed next; absent if it can't be. */
  readonly refreshesAt?: number
}

/**
 * The state of the refresh token's revocation after a sign-out. `refused`: the service refused, and the token lives
 * until it expires. `notPossible`: its issuer can't revoke tokens.
 */
export type Revocation = 'none' | 'pending' | 'done' | 'refused' | 'notPossible'

/** Why a session that the settings remember can't be restored. `missing`: the keychain is open, and has none. */
export type UnreadReason = 'locked' | 'unavailable' | 'missing'

export type SessionView =
  | { readonly kind: 'notConfigured' }
  | { readonly kind: 'restoring' }
  /** The settings remember a session, and the keychain has not shown it yet. */
  | { readonly kind: 'sessionUnread'; readonly why: UnreadReason }
  /** A version of Latchkey that this one doesn't know has written the session. */
  | { readonly kind: 'unknownVersion' }
  | {
      readonly kind: 'signedOut'
      readonly revocation: Revocation
      /** Until when access tokens that tools already hold are still good (ms since the epoch). */
      readonly handedOutUntil?: number
      /** Why the session ended, if the user did not end it. */
      readonly failure?: Failure
      /** Why the revocation has failed so far, while it is pending. */
      readonly revocationFailure?: Failure
    }
  /** `challenge`: what the user has to do before the sign-in can go on. */
  | { readonly kind: 'signingIn'; readonly challenge?: ChallengeView }
  | {
      readonly kind: 'active'
      readonly account: AccountView
      readonly token: TokenView
      readonly refresh: 'idle' | 'running'
      readonly kept: Kept
    }
  | {
      readonly kind: 'unreachable'
      readonly account: AccountView
      /** Absent when no access token is left. */
      readonly token?: TokenView
      readonly refresh: 'idle' | 'running'
      readonly kept: Kept
      readonly failure: Failure
      readonly retryAt: number
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
  /** Its host, and the port if it isn't the scheme's own. */
  readonly host: string
  /** What the user, or the administrator, calls it; absent if no one named it. */
  readonly displayName?: string
  /** Who set it; a managed value can't be changed in the window. */
  readonly source: Source
  /** Every way to sign in that it offers; the usual one first. */
  readonly grants: readonly GrantDescription[]
}

/** The values that prefill the next sign-in's form. */
export interface LastSignIn {
  readonly username: string
  /** The grant's name. */
  readonly grant: string
}

/** A connection with its session. */
export interface NamedConnectionView {
  readonly name: string
  /** Absent if it isn't configured, as only the default one may be. */
  readonly connection?: ConnectionView
  readonly session: SessionView
  /** The user has added it, and can remove it. */
  readonly isOwn: boolean
}

/** A tool that was handed an access token, by the name it gives itself. */
export interface ToolUse {
  readonly name: string
  /** The last time, in milliseconds since the epoch. */
  readonly lastAt: number
  readonly count: number
}

/** The local endpoint that hands out access tokens. */
export interface AgentView {
  readonly enabled: boolean
  /** The source that set it; absent if none did. Only the user's own value can be changed in the window. */
  readonly source?: Source
  /** Why it doesn't serve though it should, already in the user's language. */
  readonly problem?: string
  /** What the user's shell is, if that isn't a POSIX shell. */
  readonly shell?: 'powershell'
  /** Of the connection shown, since its person has signed in and the agent is on; the most recent first. */
  readonly uses: readonly ToolUse[]
}

/** A request from outside the window to open a screen. A later one has a higher number. */
export interface NavigationRequest {
  /** `signOut`: the question whether to. */
  readonly screen: 'settings' | 'signIn' | 'signOut' | 'about'
  readonly number: number
}

/** What one check of this computer found: text to show as it is, already in the user's language. */
export interface CheckLine {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly sentence: string
  /** What to do about it. */
  readonly advice?: string
  readonly details?: readonly string[]
}

/** Everything that the window shows. Each delivery of a subscription is complete. */
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
  /** At the shown connection; absent if no one has signed in there yet. */
  readonly lastSignIn?: LastSignIn
  readonly agent: AgentView
  /** Absent if the app can't start at login. `offered`: the user can decide, and has not been asked yet. */
  readonly startAtLogin?: { readonly enabled: boolean; readonly offered: boolean; readonly source?: Source }
  readonly navigation?: NavigationRequest
  /** What checking this computer has found so far; absent if the user has not asked for it. */
  readonly check?: { readonly running: boolean; readonly lines: readonly CheckLine[] }
  /** A newer version that a restart brings; absent if none is ready. */
  readonly update?: { readonly version: string }
  /** The name of the file that the diagnostics were saved to last, while the window is open. */
  readonly savedDiagnostics?: string
  /** Sentences about settings that could not be used, already in the user's language. */
  readonly notices: readonly string[]
}
