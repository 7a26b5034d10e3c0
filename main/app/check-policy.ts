/** Implements `latchkey policy check`: says what a policy does, before it reaches users. Prints in English, like the doctor. */
import { readFileSync, realpathSync } from 'node:fs'
import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { missingValues } from '../../contract/settings.ts'
import { loadTexts } from '../../text/index.ts'
import { readTlsFiles } from '../network/tls-files.ts'
import { readGuarded } from '../settings/guarded-file.ts'
import { mergePolicies, type PolicyReading, policyFrom, policyPath } from '../settings/policy.ts'
import { parseRegistryPolicy, policyPlaces, type RunTool } from '../settings/policy-places.ts'
import { type SettingsProblem, settingsNotice } from '../settings/problems.ts'
import { isRegistryText } from '../settings/registry-text.ts'
import { reportSettings } from '../settings/report.ts'
import { Settings } from '../settings/settings.ts'
import { UserSettings } from '../settings/user-settings.ts'

interface CheckedSystem {
  readonly platform: NodeJS.Platform
  readonly env: Record<string, string | undefined>
  readonly run?: RunTool
}

interface Check {
  /** What to print. */
  readonly text: string
  /** 0 if nothing is wrong. */
  readonly code: 0 | 1
}

/** @param file the file to check; `undefined` for what is installed on this computer */
export async function checkPolicy(file: string | undefined, system: CheckedSystem): Promise<Check> {
  const { platform, env, run } = system
  const installed = policyPath(platform, env)
  const places = policyPlaces(installed, platform, env, run)
  const isInstalled = file === undefined || isSameFile(file, installed)
  const names = isInstalled ? places.map(({ where }) => where) : [file]
  const head = `Latchkey policy check: ${names.join(', ')}\n\n`
  const reading = isInstalled ? mergePolicies(places.map((place) => place.read())) : readFile(file)
  if (reading === undefined) return { text: `${head}${file} can't be read. Check its path.\n`, code: 1 }
  const settings = settingsOf(reading)
  const { tls = {} } = reading
  const certificates = readTlsFiles(tls, { readGuarded: (each) => readGuarded(each, platform) }).problems.map(
    ({ key, ...rest }): SettingsProblem => {
      const place = reading.keys?.get(key) ?? { where: names.join(', '), key }
      return { source: 'policy', ...place, ...rest }
    },
  )
  const texts = await loadTexts('en', platform)
  const findings = [...settings.problems, ...certificates].map((each) => settingsNotice(each, texts))
  const values = valuesOf(settings, reading)
  if (isInstalled && values.length === 0 && findings.length === 0) {
    return { text: `${head}No policy is installed on this computer.\n`, code: 1 }
  }
  const lines = [
    ...findings.map((each) => `WRONG  ${each}`),
    ...(findings.length > 0 ? [''] : []),
    ...(values.length > 0 ? ['What applies:', ...values.map((each) => `  ${each}`)] : ['Nothing applies.']),
    ...notesOf(settings),
    '',
    findings.length === 0 ? 'No problems found.' : `${findings.length} to correct.`,
  ]
  return { text: `${head}${lines.join('\n')}\n`, code: findings.length === 0 ? 0 : 1 }
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

/** Reads a file that isn't installed yet, so it doesn't matter who can change it. */
function readFile(file: string): PolicyReading | undefined {
  try {
    const bytes = readFileSync(file)
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
    const text = bytes.toString(isUtf16 ? 'utf16le' : 'utf8')
    return isRegistryText(text) ? parseRegistryPolicy(file, text) : policyFrom(file, bytes)
  } catch {
    return undefined
  }
}

/** The settings of a computer on which only the policy sets anything. */
function settingsOf(reading: PolicyReading): Settings {
  const unused = () => Promise.reject(new Error('A check changes nothing.'))
  return new Settings({
    policy: { reading },
    environment: { layer: {}, app: {}, problems: [] },
    user: new UserSettings({ get: () => undefined, set: () => {} }),
    keychain: unused,
    confirm: unused,
  })
}

function valuesOf(settings: Settings, { tls = {} }: PolicyReading): readonly string[] {
  const values = reportSettings(settings).filter(({ source }) => source === 'policy')
  const { caFiles, clientCertificate } = tls
  return [
    ...values.map(({ name, value }) => `${name}: ${value === null ? 'locked as empty' : (value ?? 'set, not shown')}`),
    ...(caFiles === undefined ? [] : [`tls.caFiles: ${caFiles.join(', ')}`]),
    ...(clientCertificate === undefined
      ? []
      : [
          `tls.clientCertificate: ${'pfxFile' in clientCertificate ? clientCertificate.pfxFile : clientCertificate.certFile}`,
        ]),
  ]
}

/** What isn't wrong, but worth knowing. */
function notesOf(settings: Settings): readonly string[] {
  const missing = settings.names.flatMap((name) => {
    const of = name === DEFAULT_CONNECTION ? '' : ` of the connection ${name}`
    const fields = missingValues(settings.of(name).view)
    return fields.length === 0 ? [] : [`Single sign-on${of} also needs: ${fields.join(', ')}.`]
  })
  return [...(settings.mayAdd ? [] : ['Users can’t add connections of their own.']), ...missing]
}
