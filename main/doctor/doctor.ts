import type { DoctorTexts } from '../../text/en-doctor.ts'
import { within } from '../session/within.ts'
import { checkAgent } from './checks/agent.ts'
import { checkCertificate } from './checks/certificate.ts'
import { checkClock } from './checks/clock.ts'
import { checkKeychain } from './checks/keychain.ts'
import { checkName } from './checks/name.ts'
import { checkProxy } from './checks/proxy.ts'
import { askService, checkService } from './checks/service.ts'
import { checkSettings } from './checks/settings.ts'
import { checkTray } from './checks/tray.ts'
import { checkVersions } from './checks/versions.ts'
import type { CheckName, Finding, Line } from './line.ts'
import { causeOf, type DoctorPorts } from './ports.ts'
import { redactLine } from './redact.ts'

/** One run of all checks, as it begins. */
export interface CheckRun {
  readonly lines: AsyncIterable<Line>
  readonly texts: DoctorTexts
}

interface Check {
  readonly name: CheckName
  /** How long it may take: milliseconds. */
  readonly patience: number
  /** The signal ends what it has begun. */
  readonly run: (signal: AbortSignal) => Promise<Finding>
}

const LOCAL = 5_000
/** Opening the keychain has two steps of 2 s each, and a library to load before. */
const KEYCHAIN = 10_000
const NETWORK = 15_000
/** The request's own deadline is 30 s. */
const REQUEST = 35_000

/** In the order of their lines. */
function checksOf(ports: DoctorPorts): readonly Check[] {
  const addresses = ports.targets.flatMap((target): readonly Check[] => {
    const { url } = target
    return [
      { name: 'proxy', patience: NETWORK, run: (signal) => checkProxy(url, ports, signal) },
      { name: 'name', patience: NETWORK, run: () => checkName(url, ports) },
      { name: 'certificate', patience: NETWORK, run: (signal) => checkCertificate(url, ports, signal) },
    ]
  })
  // Each is asked once: whether it answers, and what time it says it is.
  const answers = ports.targets.map((target) => ({ target, answer: askService(target, ports) }))
  const reached = answers.map(({ target, answer }): Check => {
    return { name: 'service', patience: REQUEST, run: async () => checkService(target, await answer, ports) }
  })
  const asked = answers.find(({ target }) => target.kind === 'service')
  const time: readonly Check[] =
    asked === undefined
      ? []
      : [{ name: 'clock', patience: REQUEST, run: async () => checkClock(asked.target.url, await asked.answer, ports) }]
  return [
    { name: 'versions', patience: LOCAL, run: () => checkVersions(ports) },
    { name: 'settings', patience: LOCAL, run: async () => checkSettings(ports) },
    ...addresses,
    ...reached,
    ...time,
    { name: 'keychain', patience: KEYCHAIN, run: () => checkKeychain(ports) },
    { name: 'agent', patience: LOCAL, run: () => checkAgent(ports) },
    { name: 'tray', patience: LOCAL, run: () => checkTray(ports) },
  ]
}

/**
 * Examines everything that Latchkey needs, all at once, and tells of it in a fixed order, each line as soon as it and
 * those before it are known. Changes no setting, signs in to no service; no line holds a secret or the user's name. A check
 * that hangs or breaks is a line, too. Whoever stops listening ends the checks.
 */
export async function* runDoctor(ports: DoctorPorts): AsyncGenerator<Line, void, void> {
  const controller = new AbortController()
  const lines = checksOf(ports).map((check) => examine(check, ports, controller.signal))
  try {
    for (const line of lines) yield await line
  } finally {
    controller.abort()
  }
}

async function examine(check: Check, { clock, texts, person }: DoctorPorts, stopped: AbortSignal): Promise<Line> {
  const { name, patience } = check
  const own = new AbortController()
  const signal = AbortSignal.any([stopped, own.signal])
  const late: Finding = { state: 'failed', ...texts.doctor.late(patience / 1_000) }
  const work = Promise.resolve()
    .then(() => check.run(signal))
    .catch((error: unknown): Finding => ({ state: 'failed', ...texts.doctor.broken(causeOf(error)) }))
  const finding = await within(clock, patience, work, late)
  own.abort()
  return redactLine({ check: name, ...finding }, person)
}
