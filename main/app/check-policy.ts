/** `latchkey policy check` says in English what a policy does, so that an administrator can correct it in time. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { loadTexts } from '../../text/index.ts'
import { readTlsFiles } from '../network/tls-files.ts'
import { readGuarded, unsafePart } from '../settings/guarded-file.ts'
import { positionsIn } from '../settings/json-positions.ts'
import { mergePolicies, type PolicyReading, policyFrom, policyPath } from '../settings/policy.ts'
import { parseRegistryPolicy, policyPlaces, REGISTRY_KEY, type RunTool } from '../settings/policy-places.ts'
import { type SettingsProblem, settingsNotice } from '../settings/problems.ts'
import { isRegistryText } from '../settings/registry-text.ts'
import { reportSettings } from '../settings/report.ts'
import { Settings } from '../settings/settings.ts'
import { UserSettings } from '../settings/user-settings.ts'
import { type Advice, adviceOf } from './policy-advice.ts'

interface CheckedSystem {
  readonly platform: NodeJS.Platform
  readonly env: Record<string, string | undefined>
  readonly run?: RunTool
}

interface Check {
  readonly text: string
  readonly code: 0 | 1
}

/** @param file the policy file to check; `undefined` for the policy that is installed on this computer */
export async function checkPolicy(file: string | undefined, system: CheckedSystem): Promise<Check> {
  const { platform, env, run } = system
  const installed = policyPath(platform, env)
  const places = policyPlaces(installed, platform, env, run)
  const isInstalled = file === undefined || isSameFile(file, installed)
  const names = isInstalled ? places.map(({ where }) => where) : [file]
  const head = `Latchkey policy check: ${names.join(', ')}\n\n`
  const given = isInstalled ? undefined : readFile(file)
  if (typeof given === 'string') return { text: `${given}\n`, code: 1 }
  const reading = given ?? mergePolicies(places.map((place) => place.read()))
  const settings = settingsOf(reading)
  const { tls = {} } = reading
  const certificates = readTlsFiles(tls, (each) => readGuarded(each, platform)).problems.map(
    ({ key, ...rest }): SettingsProblem => {
      const keyInPolicy = reading.keys?.get(key) ?? { where: names.join(', '), key }
      return { source: 'policy', ...keyInPolicy, ...rest }
    },
  )
  const texts = await loadTexts('en', platform)
  const all = [...settings.problems, ...certificates]
  // That a damaged file sets the strictest values is only a note, because the damage itself is the mistake.
  const lineOf = ({ at }: SettingsProblem) => at?.line ?? 0
  const found = all.filter(({ problem }) => problem !== 'closed').sort((one, other) => lineOf(one) - lineOf(other))
  const consequences = all.filter(({ problem }) => problem === 'closed').map((each) => settingsNotice(each, texts))
  const advice = adviceOf(settings, reading)
  const values = valuesOf(settings, reading, advice.ignored, certificates)
  const wrong = [
    ...found.map((each) => `${settingsNotice(each, texts)}${culprit(each, platform)}`),
    ...repeatedIn(isInstalled ? installed : file),
    ...advice.wrong,
  ]
  const isEmpty = values.length + wrong.length + advice.warnings.length === 0 && reading.connections === undefined
  if (isEmpty && isInstalled) return { text: `${head}No policy is installed on this computer.\n`, code: 1 }
  const notes = [...advice.notes, ...consequences]
  return conclusion(head, isEmpty ? [nothingSet(file)] : wrong, values, { ...advice, notes })
}

function conclusion(head: string, wrong: readonly string[], values: readonly string[], advice: Advice): Check {
  const { missing, warnings, notes } = advice
  const findings = [
    ...wrong.map((each) => `WRONG  ${each}`),
    ...missing.map((each) => `MISSING  ${each}`),
    ...warnings.map((each) => `WARNING  ${each}`),
  ]
  const count = wrong.length + missing.length
  const lines = [
    ...findings,
    ...(findings.length > 0 ? [''] : []),
    ...(values.length > 0 ? ['What applies:', ...values.map((each) => `  ${each}`)] : ['Nothing applies.']),
    ...notes,
    '',
    count > 0 ? `${count} to correct.` : warnings.length > 0 ? 'Valid, with warnings.' : 'No problems found.',
  ]
  return { text: `${head}${lines.join('\n')}\n`, code: count > 0 ? 1 : 0 }
}

const nothingSet = (file: string | undefined): string =>
  file?.endsWith('.reg')
    ? `The file sets no value. Only values under ${REGISTRY_KEY} count, and not those of HKEY_CURRENT_USER.`
    : 'The file sets no value.'

function culprit({ problem, file, where }: SettingsProblem, platform: NodeJS.Platform): string {
  const part = problem === 'unsafe' && platform !== 'win32' ? unsafePart(file ?? where) : undefined
  return part === undefined ? '' : ` Others can change ${part}: use a folder of root’s, or chown root and chmod go-w.`
}

/** Says which keys occur twice. `JSON.parse` uses the last value, but a reader may expect the first. */
function repeatedIn(file: string): readonly string[] {
  try {
    const found = positionsIn(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    const repeated = found.ok ? found.repeated : []
    return repeated.map(
      ({ key, at }) => `${key} occurs twice; only the one in line ${at.line} applies. Remove the other.`,
    )
  } catch {
    return []
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

/** Reads a file even if others can change it, because it may not be installed yet. Returns a message if that fails. */
function readFile(file: string): PolicyReading | string {
  try {
    const bytes = readFileSync(file)
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
    const text = bytes.toString(isUtf16 ? 'utf16le' : 'utf8')
    if (/^\uFEFF?\s*</.test(text))
      return `${file}: This isn't a policy.json or .reg file. Install a profile or a group policy on one computer, and run latchkey policy check there without a file.`
    return isRegistryText(text) ? parseRegistryPolicy(file, text) : policyFrom(file, bytes)
  } catch {
    return existsSync(file) ? `${file} can't be read.` : `${file} doesn't exist. Check its path.`
  }
}

function settingsOf(reading: PolicyReading): Settings {
  const unused = () => Promise.reject(new Error('A check changes nothing.'))
  return new Settings({
    policy: { reading },
    environment: { layer: {}, app: {}, problems: [] },
    user: new UserSettings({ get: () => undefined, set: () => {} }),
    secrets: { read: unused, write: unused, delete: unused },
    confirm: unused,
  })
}

function valuesOf(
  settings: Settings,
  { tls = {} }: PolicyReading,
  useless: readonly string[],
  certificates: readonly SettingsProblem[],
): readonly string[] {
  const values = reportSettings(settings).filter(({ source, name }) => source === 'policy' && !useless.includes(name))
  // A damaged bundle is listed, because Latchkey still trusts its intact certificates.
  const unused = certificates.filter(
    ({ key, problem, defect }) => key !== 'tls.caFiles' || problem !== 'damaged' || defect,
  )
  const isUsed = (file: string) => !unused.some((each) => each.file === file)
  const files = tls.caFiles?.filter(isUsed) ?? []
  const { clientCertificate } = tls
  const own =
    clientCertificate === undefined
      ? []
      : 'pfxFile' in clientCertificate
        ? [clientCertificate.pfxFile]
        : [clientCertificate.certFile, clientCertificate.keyFile]
  return [
    ...values.map(({ name, value }) => `${name}: ${value === null ? 'locked as empty' : (value ?? 'set, not shown')}`),
    ...(files.length === 0 ? [] : [`tls.caFiles: ${files.join(', ')}`]),
    ...(own.length === 0 || !own.every(isUsed) ? [] : [`tls.clientCertificate: ${own[0]}`]),
  ]
}
