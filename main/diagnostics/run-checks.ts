import type { DiagnosticsTexts } from '../../text/en/diagnostics.ts'
import { withTimeout } from '../base/waits.ts'
import { checkAgent } from './checks/agent.ts'
import { checkBrowser } from './checks/browser.ts'
import { checkCertificate } from './checks/certificate.ts'
import { checkGateway } from './checks/gateway.ts'
import { checkKeychain } from './checks/keychain.ts'
import { checkName } from './checks/name.ts'
import { checkProxy } from './checks/proxy.ts'
import { askService, checkClock, checkService } from './checks/service.ts'
import { checkSettings } from './checks/settings.ts'
import { checkSandbox, checkTray, checkVersions } from './checks/system.ts'
import type { CheckName, Finding, Line } from './line.ts'
import { causeOf as causeOfError, type DiagnosticsPorts } from './ports.ts'
import { redactLine } from './redact.ts'

export interface CheckRun {
  readonly lines: AsyncIterable<Line>
  readonly texts: DiagnosticsTexts
}

interface Check {
  readonly name: CheckName
  readonly timeoutMs: number
  /** The address of the service or provider. A check without one depends on no other check. */
  readonly about?: URL
  readonly run: (signal: AbortSignal) => Promise<Finding>
}

const LOCAL_MS = 5_000
/** Opening the keychain and trying it take up to 2 s each, and a library may have to be loaded. */
const KEYCHAIN_MS = 10_000
const NETWORK_MS = 15_000
/** This is longer than the request's own deadline, which is 30 s. */
const REQUEST_MS = 35_000

const isService = ({ name }: Check): boolean => name === 'service' || name === 'provider'

function checksOf(ports: DiagnosticsPorts): readonly Check[] {
  const addresses = ports.targets.flatMap((target): readonly Check[] => {
    const { url } = target
    return [
      { name: 'proxy', about: url, timeoutMs: NETWORK_MS, run: (signal) => checkProxy(url, ports, signal) },
      { name: 'name', about: url, timeoutMs: NETWORK_MS, run: () => checkName(url, ports) },
      { name: 'certificate', about: url, timeoutMs: NETWORK_MS, run: (signal) => checkCertificate(url, ports, signal) },
    ]
  })
  // The service check and the clock check share one request to each service.
  const answers = ports.targets.map((target) => ({ target, answer: askService(target, ports) }))
  const reached = answers.map(
    ({ target, answer }): Check => ({
      name: target.kind,
      about: target.url,
      timeoutMs: REQUEST_MS,
      run: async () => checkService(target, await answer, ports),
    }),
  )
  const time = answers
    .filter(({ target }) => target.kind === 'service')
    .slice(0, 1)
    .map(
      ({ target: { url }, answer }): Check => ({
        name: 'clock',
        about: url,
        timeoutMs: REQUEST_MS,
        run: async () => checkClock(url, await answer, ports),
      }),
    )
  const browsers = ports.browserTargets.map((target): Check => {
    return { name: 'browser', about: target.url, timeoutMs: REQUEST_MS, run: () => checkBrowser(target, ports) }
  })
  const gateways = ports.gateways.map((target): Check => {
    return { name: 'gateway', timeoutMs: LOCAL_MS, run: () => checkGateway(target, ports) }
  })
  return [
    { name: 'versions', timeoutMs: LOCAL_MS, run: () => checkVersions(ports) },
    { name: 'settings', timeoutMs: LOCAL_MS, run: async () => checkSettings(ports) },
    { name: 'sandbox', timeoutMs: LOCAL_MS, run: async () => checkSandbox(ports) },
    ...addresses,
    ...reached,
    ...time,
    ...browsers,
    { name: 'keychain', timeoutMs: KEYCHAIN_MS, run: () => checkKeychain(ports) },
    { name: 'agent', timeoutMs: LOCAL_MS, run: () => checkAgent(ports) },
    ...gateways,
    { name: 'tray', timeoutMs: LOCAL_MS, run: () => checkTray(ports) },
  ]
}

/**
 * Yields each line as soon as it is known, even if another check hangs or throws. The checks change no setting and sign
 * in nowhere, and end when the caller stops reading. No line contains a secret, or a path with the user's name.
 * @param onBegin called once, before the first line, with the number of checks
 */
export async function* runChecks(
  ports: DiagnosticsPorts,
  onBegin: (total: number) => void = () => {},
): AsyncGenerator<Line, void, void> {
  const controller = new AbortController()
  const checks = checksOf(ports)
  onBegin(checks.length)
  const found = checks.map((check) => runCheck(check, ports, controller.signal))
  const lines: Promise<Line>[] = []
  /** Finds the check that explains this failure: an earlier check of the same address, or the service check. */
  const causeOf = async ({ isUnreached = false }: Line, at: number): Promise<CheckName | undefined> => {
    const about = checks[at]?.about
    if (about === undefined) return undefined
    const earlier = await Promise.all(lines.filter((_, other) => other < at && checks[other]?.about === about))
    const failed = earlier.find(({ state }) => state === 'failed')
    if (failed !== undefined || !isUnreached) return failed?.check
    // The service check also signs in to proxies, so it knows why nothing can connect.
    const service = await found[checks.findIndex((each) => isService(each) && each.about === about)]
    return service?.state === 'failed' ? service.check : undefined
  }
  for (const [at, finding] of found.entries()) {
    lines.push(
      finding.then(async (line) => {
        const cause = mayHaveCause(line) ? await causeOf(line, at) : undefined
        return cause === undefined ? line : skipped(line, cause, ports.texts.diagnostics)
      }),
    )
  }
  const awaited = new Map(lines.map((line, at) => [at, line.then((known) => ({ at, line: known }))]))
  try {
    while (awaited.size > 0) {
      const { at, line } = await Promise.race(awaited.values())
      awaited.delete(at)
      yield line
    }
  } finally {
    controller.abort()
  }
}

/** Each cause is reported once: a result that another check explains is shown as skipped. */
const mayHaveCause = ({ check, state }: Line): boolean => state === 'failed' || (check === 'clock' && state !== 'ok')

const skipped = ({ check }: Line, cause: CheckName, texts: DiagnosticsTexts): Line => ({
  check,
  state: 'skipped',
  sentence: texts.skipped(texts.checks[cause]),
})

async function runCheck(check: Check, { clock, texts, person }: DiagnosticsPorts, stopped: AbortSignal): Promise<Line> {
  const { name, timeoutMs } = check
  const own = new AbortController()
  const signal = AbortSignal.any([stopped, own.signal])
  const late: Finding = { state: 'failed', ...texts.diagnostics.late(timeoutMs / 1_000) }
  const work = Promise.resolve()
    .then(() => check.run(signal))
    .catch((error: unknown): Finding => ({ state: 'failed', ...texts.diagnostics.broken(causeOfError(error)) }))
  const finding = await withTimeout(clock, timeoutMs, work, late)
  own.abort()
  return redactLine({ check: name, ...finding }, person)
}
