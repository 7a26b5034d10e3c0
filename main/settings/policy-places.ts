import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  mayBeNull,
  type PolicyPlaceKind,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type ValueName,
} from '../../contract/settings.ts'
import { readGuarded } from './guarded-file.ts'
import { closedPolicy, emptyPolicy, isObject, NO_POLICY, type PolicyReading, readPolicy, readValues } from './policy.ts'
import type { SettingsProblem } from './problems.ts'
import { parseRegistryText, type RegistryKeys, type RegistryValue } from './registry-text.ts'

export interface PolicyPlace {
  readonly where: string
  read(): PolicyReading
}

/** Returns what the program printed; `undefined` if it failed. */
export type RunTool = (program: string, args: readonly string[], input?: Buffer) => string | undefined

/** The time limit for the system's programs `reg.exe` and `plutil`, which usually end within a moment. */
const TOOL_TIMEOUT_MS = 5_000

const runTool: RunTool = (program, args, input) => {
  const options = { timeout: TOOL_TIMEOUT_MS, windowsHide: true, encoding: 'utf8', ...(input && { input }) } as const
  const { status, stdout } = spawnSync(program, args, options)
  return status === 0 ? stdout : undefined
}

export function policyPlaces(
  file: string,
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  run: RunTool = runTool,
): readonly PolicyPlace[] {
  const inFile = { where: file, read: () => readPolicy(file, platform) }
  if (platform === 'win32') return [{ where: REGISTRY_KEY, read: () => readRegistry(env, run) }, inFile]
  if (platform === 'darwin') return [{ where: PREFERENCES_FILE, read: () => readPreferences(run) }, inFile]
  return [inFile]
}

const POLICIES = 'HKLM\\SOFTWARE\\Policies'
/** SECURITY: only the computer's key is read. A user's own key isn't, because the user can write to it. */
export const REGISTRY_KEY = `${POLICIES}\\Latchkey`
const FULL_REGISTRY = REGISTRY_KEY.replace('HKLM', 'HKEY_LOCAL_MACHINE').toLowerCase()

function readRegistry(env: Record<string, string | undefined>, run: RunTool): PolicyReading {
  // SECURITY: the path is absolute, so that no other program of this name runs.
  const reg = path.win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe')
  const unreadable = { where: REGISTRY_KEY, problem: 'unreadable' } as const
  // Every call of a disabled `reg.exe` fails, like one for a missing key, so the existing keys are listed first.
  const keys = run(reg, ['query', POLICIES])
  // There may be no policy, as on most computers, so the switches don't get their strictest values.
  if (keys === undefined) return emptyPolicy(unreadable)
  if (!keys.split(/\r?\n/).some((line) => line.trim().toLowerCase() === FULL_REGISTRY)) return NO_POLICY
  // `reg.exe query` isn't used, because it prints in the console's code page and doesn't quote values.
  let folder: string | undefined
  try {
    folder = mkdtempSync(path.join(tmpdir(), 'latchkey-policy-'))
    const file = path.join(folder, 'policy.reg')
    if (run(reg, ['export', REGISTRY_KEY, file, '/y']) === undefined) return closedPolicy(unreadable)
    return parseRegistryPolicy(REGISTRY_KEY, readFileSync(file, 'utf16le'))
  } catch {
    return closedPolicy(unreadable)
  } finally {
    try {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A virus scanner may have the file open. The system itself empties the folder for temporary files.
    }
  }
}

export function parseRegistryPolicy(where: string, text: string): PolicyReading {
  const parsed = parseRegistryText(text)
  if (!parsed.ok) return closedPolicy({ where, problem: 'damaged', at: parsed.at, defect: { kind: 'registryLine' } })
  const { problems, ...reading } = readValues(where, registryValues(parsed.keys))
  const inRegistry = (each: SettingsProblem): SettingsProblem =>
    each.defect?.kind === 'switch' && !each.key?.startsWith('connections.')
      ? { ...each, defect: { kind: 'dword' } }
      : each
  return { ...reading, problems: problems.map(inRegistry) }
}

/** The setting with this name. The case of names doesn't matter in the registry. */
const settingNamed = (name: string): SettingName | undefined =>
  SETTING_NAMES.find((each) => each.toLowerCase() === name.toLowerCase())

/** As a policy file contains them. In the registry, each connection is one value, a JSON text. */
function registryValues(keys: RegistryKeys): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>()
  const connections = new Map<string, unknown>()
  for (const [key, content] of keys) {
    const isOurs = `${key}\\`.toLowerCase().startsWith(`${FULL_REGISTRY}\\`)
    const below = isOurs ? key.slice(FULL_REGISTRY.length + 1) : undefined
    if (below === undefined) continue
    const isConnections = below.toLowerCase() === 'connections'
    // In the registry, a setting must be a value. A key of that name is reported as a wrong value.
    if (below !== '' && !isConnections) values.set(settingNamed(below) ?? below, [])
    for (const [name, value] of content) {
      if (isConnections) connections.set(name, fromJson(value))
      else if (below === '' && name !== '') values.set(settingNamed(name) ?? name, fromRegistry(name, value))
    }
  }
  // When a group policy is withdrawn, an empty key `connections` can stay behind. It sets nothing.
  if (connections.size > 0) {
    const own = values.get('connections')
    values.set('connections', { ...(isObject(own) ? own : {}), ...Object.fromEntries(connections) })
  }
  return withNull(Object.fromEntries(values))
}

const SWITCHES: ReadonlyMap<RegistryValue, boolean> = new Map<RegistryValue, boolean>([
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
])

/** The value as a policy file would contain it. The registry has neither booleans nor structures. */
function fromRegistry(name: string, value: RegistryValue): unknown {
  const setting = settingNamed(name)
  const kind = setting && SETTINGS[setting].kind
  if (kind === 'switch') return SWITCHES.get(value) ?? `${value}`
  return kind === 'connections' || kind === 'tls' ? fromJson(value) : (value ?? [])
}

function fromJson(value: RegistryValue): unknown {
  try {
    return JSON.parse(`${value}`)
  } catch {
    return value
  }
}

/** An empty text locks a value as empty, because the registry and property lists don't have `null`. */
function withNull(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const replaced = (each: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(each).map(([name, value]) => [name, value === '' && isNullable(name) ? null : value]),
    )
  const { connections, ...rest } = values
  const others = isObject(connections)
    ? Object.fromEntries(
        Object.entries(connections).map(([name, each]) => [name, isObject(each) ? replaced(each) : each]),
      )
    : connections
  return { ...replaced(rest), ...('connections' in values && { connections: others }) }
}

const isNullable = (name: string): boolean => Object.hasOwn(SETTINGS, name) && mayBeNull(name as ValueName)

/** The app's id (electron-builder.yml). */
export const BUNDLE_ID = 'example.latchkey.desktop'
export const PREFERENCES_FILE = `/Library/Managed Preferences/${BUNDLE_ID}.plist`

function readPreferences(run: RunTool): PolicyReading {
  // SECURITY: `plutil` gets the content that was checked, and not the path, whose file may have changed since.
  const reading = readGuarded(PREFERENCES_FILE, 'darwin')
  if (reading.kind === 'missing') return NO_POLICY
  if (reading.kind !== 'read') return closedPolicy({ where: PREFERENCES_FILE, problem: reading.kind })
  return parsePreferences(run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '-'], reading.content))
}

export function policyPlaceKind(where: string): PolicyPlaceKind {
  if (where === REGISTRY_KEY) return 'registry'
  return where === PREFERENCES_FILE ? 'preferences' : 'file'
}

/** `text` is the JSON that `plutil` makes of the property list. */
export function parsePreferences(text: string | undefined): PolicyReading {
  try {
    const json: unknown = JSON.parse(text ?? '')
    if (!isObject(json)) throw new Error('no dictionary')
    // macOS adds keys about the profile from which the values come.
    const own = Object.entries(json).filter(([name]) => !name.startsWith('Payload'))
    return readValues(PREFERENCES_FILE, withNull(Object.fromEntries(own)))
  } catch {
    return closedPolicy({ where: PREFERENCES_FILE, problem: 'damaged' })
  }
}
