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
  /** When it is refreshed next; absent where it can't be. */
  readonly refreshesAt?: number
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
  /** A version of Latchkey that this one doesn't know has written the session. */
  | { readonly kind: 'unknownVersion' }
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
  /** What the user, or the administrator, calls it; absent if nobody named it. */
  readonly displayName?: string
  /** Who set it; a managed value can't be changed in the window. */
  readonly source: Source
  /** Every way to sign in that it offers; the usual one first. */
  readonly grants: readonly GrantDescription[]
}

/** What the form of the next sign-in is filled in with. */
export interface LastSignIn {
  readonly username: string
  /** The grant's name. */
  readonly grant: string
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
  readonly source?: Source
  /** Why it doesn't serve though it should, already in the user's language. */
  readonly problem?: string
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
  /** At the shown connection; absent if nobody has signed in there yet. */
  readonly lastSignIn?: LastSignIn
  readonly agent: AgentView
  /** Absent where the app can't start at login. `offered`: the user can decide, and has not been asked yet. */
  readonly startAtLogin?: { readonly enabled: boolean; readonly offered: boolean; readonly source?: Source }
  readonly navigation?: NavigationRequest
  /** What checking this computer has found so far; absent where the user has not asked for it. */
  readonly check?: { readonly running: boolean; readonly lines: readonly CheckLine[] }
  /** A newer version that a restart brings; absent where none is ready. */
  readonly update?: { readonly version: string }
  /** The name of the file that the diagnostics were saved to last, while the window is open. */
  readonly savedDiagnostics?: string
  /** Sentences about settings that could not be used, already in the user's language. */
  readonly notices: readonly string[]
}
