/** What the checks need. The app's own adapters provide it, so that the checks test what the app uses. */
import type { SecureContextOptions } from 'node:tls'
import type { Outcome } from '../../contract/failures.ts'
import type { Source } from '../../contract/settings.ts'
import type { CauseWords } from '../../text/cause.ts'
import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import type { AgentLocation, LocationProblem } from '../agent/location.ts'
import type { Clock } from '../base/clock.ts'
import type { KeychainProbe } from '../keychain/open.ts'
import type { NegotiationProblem } from '../network/negotiation.ts'
import type { ProxyServer } from '../network/proxy.ts'
import type { Route, RouteRequest } from '../service/http-client.ts'
import type { HttpResponse } from '../service/response.ts'
import type { SignInCheck } from '../session/ports.ts'
import type { Person } from './redact.ts'

export interface Target {
  readonly kind: 'service' | 'provider'
  readonly url: URL
  /** If true, the service may have no sign-in of its own. */
  readonly hasBrowserSignIn?: boolean
}

export interface BrowserTarget {
  readonly url: URL
  readonly redirectUri: string
  /** Checks as much of the sign-in as is possible without the user. Opens no page. */
  readonly check: () => Promise<Outcome<SignInCheck>>
  /** Succeeds if the app can receive the browser's callback. */
  readonly tryPort: () => Promise<Outcome>
  /** Latchkey itself uses the port, because a sign-in is open. */
  readonly isWaiting: () => boolean
}

interface Incomplete {
  readonly connection: string
  readonly missing: readonly string[]
  /** `flow` isn't set. The advice then also offers the browser flow, which needs fewer settings. */
  readonly isFlowOpen: boolean
}

export interface SettingsReport {
  /** `name` can be `staging.scope`. `value` is absent for a secret, `null` if the administrator locked it as empty. */
  readonly values: readonly {
    readonly name: string
    readonly value?: string | null
    readonly source: Source
    readonly where?: string
  }[]
  readonly problems: readonly string[]
  readonly isPolicyUnusable?: boolean
  readonly isPolicyFaulty?: boolean
  readonly incomplete?: readonly Incomplete[]
  /** The administrator's values of single sign-on that have no effect, because `authUrl` isn't set. */
  readonly useless?: readonly string[]
  /** The administrator's file, the data folder and the log's folder. A missing file is no problem. */
  readonly paths: readonly { readonly name: string; readonly path: string; readonly isMissing?: boolean }[]
  /** The system's error code if the log can't be written. */
  readonly logProblem?: string | undefined
  /** What affects the network or the agent's path, without credentials. A value that can't be parsed is absent. */
  readonly variables: readonly { readonly name: string; readonly value?: string }[]
}

export interface FoundProxy extends ProxyServer {
  /** Absent if the system's settings name the proxy. */
  readonly variable?: string
}

export type ClientCertificate = Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>

export type StatusAndHeaders = Pick<HttpResponse, 'status' | 'headers'>

export type KerberosProblem = NegotiationProblem | 'unsupported'

export interface GatewayTarget {
  readonly port: number
  readonly hasPassword: boolean
  /** Finds the variable or system setting that sends this computer's programs to a proxy, even for 127.0.0.1. */
  readonly proxiedBy: () => Promise<string | undefined>
}

export interface DiagnosticsPorts {
  readonly clock: Clock
  readonly texts: { readonly diagnostics: DiagnosticsTexts; readonly causes: CauseWords }
  readonly person: Person
  readonly platform: NodeJS.Platform
  readonly userAgent?: string | undefined
  readonly versions: () => Promise<readonly (readonly [string, string])[]>
  readonly settings: () => SettingsReport
  readonly isSandboxed: boolean
  readonly targets: readonly Target[]
  readonly browserTargets: readonly BrowserTarget[]
  readonly gateways: readonly GatewayTarget[]
  /** Finds the proxies for an address, in the order in which they are tried. */
  readonly proxiesFor: (url: URL) => Promise<readonly ('direct' | FoundProxy)[]>
  /** `undefined` if the user can sign in to a proxy that offers these schemes. */
  readonly kerberosProblem: (schemes: readonly string[], host: string) => Promise<KerberosProblem | undefined>
  /** If absent, requests go directly to the host. */
  readonly routeFor?: (request: RouteRequest) => Promise<Route>
  readonly trusted?: () => Promise<readonly string[]>
  readonly identityFor?: (url: URL) => Promise<ClientCertificate | undefined>
  /** The app's own client. The request carries no credentials for the service. */
  readonly send: (request: {
    readonly operation: string
    readonly method: 'GET'
    readonly url: URL
  }) => Promise<Outcome<StatusAndHeaders>>
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly tryKeychain: () => Promise<KeychainProbe>
  /** The names of entries that another computer wrote, or this one before its machine id changed. */
  readonly otherEntries: readonly string[]
  readonly agent: {
    readonly isEnabled: boolean
    /** The source of the setting that turns the agent on or off; absent if nothing sets it. */
    readonly source?: Source | undefined
    readonly location: AgentLocation | LocationProblem
    readonly uid?: number | undefined
  }
  readonly askTrayHost: () => Promise<'present' | 'absent' | 'unknown'>
}

export type Ports<K extends keyof DiagnosticsPorts> = Pick<DiagnosticsPorts, K>

/** Names an error by its code, its class or a proxy's reason. The message is left out: it may contain anything. */
export function causeOf(error: unknown): string {
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    return 'reason' in error && typeof error.reason === 'string' ? error.reason : `proxy answered ${error.status}`
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
