// Printed and saved results are in English, for support. The window shows them in the user's language.
import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { OK } from '../../contract/failures.ts'
import { missingValues } from '../../contract/settings.ts'
import { loadDiagnosticsTexts } from '../../text/diagnostics.ts'
import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import { loadTexts, type Texts } from '../../text/index.ts'
import { withTimeout } from '../base/waits.ts'
import { resolveName } from '../diagnostics/checks/name.ts'
import { findVersions } from '../diagnostics/checks/system.ts'
import type { Line } from '../diagnostics/line.ts'
import type { BrowserTarget, DiagnosticsPorts, GatewayTarget, SettingsReport, Target } from '../diagnostics/ports.ts'
import { type Output, printChecks } from '../diagnostics/print-checks.ts'
import { type Person, redact } from '../diagnostics/redact.ts'
import { renderDiagnostics } from '../diagnostics/report.ts'
import { type CheckRun, runChecks } from '../diagnostics/run-checks.ts'
import { lastLines, logFile } from '../log/files.ts'
import { isExempt } from '../network/environment.ts'
import { shownVariables } from '../network/shown-variables.ts'
import { callbackPath, listenForCallback } from '../service/callback-listener.ts'
import { tlsOptions } from '../service/transport.ts'
import { addressOfEntry } from '../session/entry.ts'
import { type SettingsProblem, settingsNotice } from '../settings/problems.ts'
import { reportSettings } from '../settings/report.ts'
import type { Core } from './core.ts'
import type { Paths } from './host-system.ts'
import { idleValues } from './policy-advice.ts'

export interface CheckPorts {
  readonly problems: readonly SettingsProblem[]
  readonly isSandboxed: boolean
  readonly paths: Paths
  /** The system's error code if the log can't be written. */
  readonly logProblem: string | undefined
  readonly askTrayHost: DiagnosticsPorts['askTrayHost']
  /** An address that the user has just tried to save and that didn't answer. */
  readonly unreached?: string | undefined
}

const SECRET_TIMEOUT_MS = 3_000

export async function checkComputer(
  core: Core,
  ports: CheckPorts,
  texts: Texts,
  onBegin?: (total: number) => void,
): Promise<CheckRun> {
  const diagnostics = await loadDiagnosticsTexts(texts)
  return { lines: runChecks(portsOf(core, { ...texts, diagnostics }, ports), onBegin), texts: diagnostics }
}

export async function printReport(core: Core, ports: Omit<CheckPorts, 'problems'>, output: Output): Promise<0 | 1> {
  const { clock, settings, platform } = core
  const texts = await loadTexts('en', platform)
  const diagnostics = await loadDiagnosticsTexts(texts)
  await withTimeout(clock, SECRET_TIMEOUT_MS, settings.readClientSecrets(), undefined)
  const problems = [...core.settingsProblems(), ...(await core.networkProblems())]
  return printChecks(portsOf(core, { ...texts, diagnostics }, { ...ports, problems }), output)
}

export async function writeDiagnostics(
  core: Core,
  ports: CheckPorts,
  { log, sessions }: { readonly log: readonly string[]; readonly sessions: readonly string[] },
): Promise<string> {
  const { lines, texts } = await checkComputer(core, ports, await loadTexts('en', core.platform))
  const found: Line[] = []
  for await (const line of lines) found.push(line)
  return renderDiagnostics({ lines: found, sessions, log, at: core.clock.wall() }, thisPerson(), texts)
}

export const LOG_LINES = 300

/** Returns the path and the end of the log, as a text for support. The exit code is 1 if nothing was logged. */
export async function readLog(folder: string): Promise<{ readonly text: string; readonly code: 0 | 1 }> {
  const lines = await lastLines(folder, LOG_LINES)
  const texts = await loadDiagnosticsTexts(await loadTexts('en'))
  const shown = [`${logFile(folder, 0)}:`, '', ...(lines.length === 0 ? [texts.noLog] : lines)]
  const person = thisPerson()
  return { text: shown.map((line) => `${redact(line, person)}\n`).join(''), code: lines.length === 0 ? 1 : 0 }
}

function portsOf(
  core: Core,
  texts: Texts & { readonly diagnostics: DiagnosticsTexts },
  { problems, isSandboxed, paths, logProblem, askTrayHost, unreached }: CheckPorts,
): DiagnosticsPorts {
  const { platform, env, version, userAgent, clock, settings, policy, network, http } = core
  return {
    clock,
    platform,
    userAgent,
    texts: { diagnostics: texts.diagnostics, causes: texts.details.causes },
    person: thisPerson(),
    versions: () => findVersions({ app: version, process }),
    settings: () => ({
      values: reportSettings(settings),
      problems: problems.map((each) => settingsNotice(each, texts)),
      isPolicyUnusable: problems.some(isWholePolicy),
      isPolicyFaulty: problems.some(isFaultyPolicy),
      incomplete: incompleteIn(core),
      useless: idleValues(settings, policy.reading),
      paths: [
        { name: 'policy', path: paths.policyFile, isMissing: !existsSync(paths.policyFile) },
        { name: 'data', path: paths.dataFolder },
        { name: 'log', path: paths.logDir },
      ],
      logProblem,
      variables: shownVariables(env, platform),
    }),
    isSandboxed,
    targets: targetsOf(core, unreached),
    browserTargets: browserTargetsOf(core),
    gateways: gatewaysOf(core),
    proxiesFor: network.proxiesFor,
    kerberosProblem: network.kerberosProblem,
    routeFor: network.http.routeFor,
    trusted: network.http.trusted,
    identityFor: async (url) => {
      const identity = await network.http.identityFor(url)
      return identity && tlsOptions(identity)
    },
    send: http.send,
    resolve: resolveName,
    tryKeychain: () => core.keychain.probe(),
    otherEntries: Object.keys(core.user.markers).filter(
      (name) => addressOfEntry(name, core.installation) === undefined,
    ),
    agent: {
      isEnabled: settings.app.of('agent').value,
      source: settings.app.of('agent').source,
      location: paths.agentEndpoint,
      uid: process.getuid?.(),
    },
    askTrayHost,
  }
}

const isWholePolicy = ({ source, key, problem }: SettingsProblem): boolean =>
  source === 'policy' && key === undefined && ['damaged', 'unreadable', 'unsafe'].includes(problem)

/** A newer version may know an unknown key, so such a key is a fault only if it resembles a setting's name. */
const isFaultyPolicy = ({ source, problem, defect }: SettingsProblem): boolean =>
  source === 'policy' && (problem !== 'unknown' || defect !== undefined)

const incompleteIn = ({ settings }: Core): NonNullable<SettingsReport['incomplete']> =>
  settings.names
    .map((connection) => {
      const { view } = settings.of(connection)
      return { connection, missing: missingValues(view), isFlowOpen: view.flow.source === undefined }
    })
    .filter(({ missing }) => missing.length > 0)

/** The person whose name must not appear in the report. */
function thisPerson(): Person {
  const home = homedir()
  try {
    return { home, name: userInfo().username }
  } catch {
    // `userInfo` throws if the user has no entry in passwd, for example in a container.
    return { home, name: '' }
  }
}

function targetsOf({ settings }: Core, unreached: string | undefined): readonly Target[] {
  const saved = settings.names.flatMap((name): readonly Target[] => {
    const { connection, view } = settings.of(name)
    // The provider is checked if its address is set, even if other single sign-on values are missing.
    const provider = view.authUrl.value
    const hasBrowserSignIn = connection?.identityProvider?.flow === 'browser'
    return [
      ...(connection === undefined
        ? []
        : [{ kind: 'service', url: new URL(connection.baseAddress), hasBrowserSignIn } as const]),
      ...(provider === undefined ? [] : [{ kind: 'provider', url: new URL(provider) } as const]),
    ]
  })
  const isSaved = unreached === undefined || saved.some(({ url }) => url.href === new URL(unreached).href)
  return isSaved ? saved : [{ kind: 'service', url: new URL(unreached) }, ...saved]
}

function browserTargetsOf({ settings, http, callbackPorts }: Core): readonly BrowserTarget[] {
  return settings.names.flatMap((name) => {
    const provider = settings.of(name).connection?.identityProvider
    if (provider?.flow !== 'browser') return []
    const { authUrl: authAddress, redirectPort: port = 0 } = provider
    const redirectUri = `http://127.0.0.1${port === 0 ? '' : `:${port}`}${callbackPath(authAddress)}`
    return {
      url: new URL(authAddress),
      redirectUri,
      check: async () => {
        const { BrowserAuthorizationServer } = await import('../service/authorization-server.ts')
        return new BrowserAuthorizationServer({ ...provider, authAddress, http }).check(redirectUri)
      },
      tryPort: async () => {
        const tried = await listenForCallback({ port, issuer: authAddress, isOurs: () => false, page: NO_PAGE })
        if (!tried.ok) return tried
        tried.value.close()
        return OK
      },
      isWaiting: () => callbackPorts.has(port),
    }
  })
}

/** Proxies for plain HTTP. Curl ignores `HTTP_PROXY`, but the tools of Python, R and Java read it. */
const HTTP_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']

/** The gateways that are turned on and have a port. A gateway gets its port when the app first starts it. */
function gatewaysOf({ settings, gatewayRecords, env, resolveProxy }: Core): readonly GatewayTarget[] {
  return settings.names.flatMap((name) => {
    const { connection, gateway } = settings.of(name)
    if (connection === undefined || !gateway.isEnabled) return []
    const record = gatewayRecords.of(connection.baseAddress)
    const { port = record.port } = gateway
    if (port === undefined) return []
    const proxiedBy = async () => {
      const isExempted = isExempt('127.0.0.1', env['no_proxy'] ?? env['NO_PROXY'] ?? '')
      const variable = HTTP_VARIABLES.find((each) => !isExempted && (env[each] ?? '') !== '')
      return variable ?? proxyIn(await resolveProxy(`http://127.0.0.1:${port}/`))
    }
    return { port, hasPassword: record.passwordHash !== undefined, proxiedBy }
  })
}

function proxyIn(answer: string): string | undefined {
  const [first = 'DIRECT'] = answer.split(';')
  return first.trim().toUpperCase() === 'DIRECT' ? undefined : first.trim()
}

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }
