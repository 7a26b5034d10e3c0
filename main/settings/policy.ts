import path from 'node:path'
import { readGuarded } from './guarded-file.ts'
import { placesIn } from './json-places.ts'
import { checkValue, isSetting, type ManagedLayer, readManaged, type SettingsProblem } from './layer.ts'
import { type PolicyConnections, readConnections } from './policy-connections.ts'
import { type PolicyTls, readTls } from './policy-tls.ts'

/** Where the administrator's file lies. On Windows it is not under `%ProgramData%`, where every user may make folders. */
export function policyPath(platform: NodeJS.Platform, env: Record<string, string | undefined>): string {
  switch (platform) {
    case 'win32':
      return path.win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', 'Latchkey', 'policy.json')
    case 'darwin':
      return '/Library/Application Support/Latchkey/policy.json'
    default:
      return '/etc/latchkey/policy.json'
  }
}

/** What the administrator's file says. */
export interface PolicyReading {
  /** Of the default connection. */
  readonly layer: ManagedLayer
  /** The others. If the key is present, even as `{}`, users can't add more unless `userConnections` allows it. */
  readonly connections?: PolicyConnections
  /** Whether users can add connections; absent if the rest of the settings decides. */
  readonly userConnections?: boolean
  /** Whether tools on this desktop get tokens; absent where that is left to the user. */
  readonly agent?: boolean
  /** Where Latchkey looks for newer versions of itself; nowhere, where absent. */
  readonly updateFeed?: string
  /** Certificates, by the paths of their files. */
  readonly tls?: PolicyTls
  /** Where each key stands, by its path (`tls.caFiles`), as a problem tells it. */
  readonly keys?: ReadonlyMap<string, Pick<SettingsProblem, 'where' | 'key' | 'at'>>
  readonly problems: readonly SettingsProblem[]
}

/** Keys whose value is true or false. */
const SWITCHES = ['agent', 'userConnections'] as const

/** Keys that are no value of the connection. `$schema` lets an editor check the file. */
const OTHERS = ['connections', ...SWITCHES, 'updateFeed', 'tls', '$schema']

/**
 * Reads the administrator's file. A file that isn't there says nothing; one that is there but can't be trusted,
 * read or parsed is named as a problem and none of it counts.
 */
export function readPolicy(file: string, platform: NodeJS.Platform): PolicyReading {
  // SECURITY: a file that somebody else can write would let them choose where passwords are sent.
  const reading = readGuarded(file, platform)
  switch (reading.kind) {
    case 'read':
      return parsePolicy(file, reading.content.toString('utf8'))
    case 'missing':
      return { layer: {}, problems: [] }
    default:
      return refused({ where: file, problem: reading.kind })
  }
}

/** Reads the content of the file, value by value: what is wrong is named by its line, what is right still counts. */
export function parsePolicy(file: string, content: string): PolicyReading {
  // Editors on Windows begin a file with a byte order mark.
  const text = content.replace(/^\uFEFF/, '')
  const places = placesIn(text)
  if (!places.ok) return refused({ where: file, problem: 'damaged', at: places.at })
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return refused({ where: file, problem: 'damaged', at: { line: 1, column: 1 } })
  }
  const about = (key: string) => ({ source: 'policy', where: file, key, at: places.keys.get(key) }) as const
  const { layer, problems } = readManaged(json)
  const unknown = Object.keys(json).filter((key) => !isSetting(key) && !OTHERS.includes(key))
  const switches = readSwitches(json)
  // Held to what every address is held to.
  const feed = 'updateFeed' in json ? checkValue('baseAddress', json.updateFeed) : undefined
  const tls = 'tls' in json ? readTls(json.tls) : undefined
  const others = 'connections' in json ? readConnections(json.connections) : undefined
  return {
    layer,
    ...(others === undefined ? {} : { connections: others.connections }),
    ...switches.values,
    ...(feed?.ok ? { updateFeed: feed.value } : {}),
    ...(tls === undefined ? {} : { tls: tls.tls }),
    keys: new Map([...places.keys.keys()].map((key) => [key, about(key)])),
    problems: [
      ...problems.map(({ where }) => ({ ...about(where), problem: 'unusable' }) as const),
      ...switches.unusable.map((key) => ({ ...about(key), problem: 'unusable' }) as const),
      ...(feed?.ok === false ? [{ ...about('updateFeed'), problem: 'unusable' } as const] : []),
      ...[...(others?.problems ?? []), ...(tls?.problems ?? [])].map(
        ({ key, ...rest }) => ({ ...about(key), ...rest }) as const,
      ),
      ...unknown.map((key) => ({ ...about(key), problem: 'unknown' }) as const),
    ],
  }
}

function readSwitches(json: { readonly [key in (typeof SWITCHES)[number]]?: unknown }) {
  const isBoolean = (key: keyof typeof json) => typeof json[key] === 'boolean'
  const values: Pick<PolicyReading, (typeof SWITCHES)[number]> = Object.fromEntries(
    SWITCHES.filter(isBoolean).map((key) => [key, json[key]]),
  )
  return { values, unusable: SWITCHES.filter((key) => json[key] !== undefined && !isBoolean(key)) }
}

function refused(problem: Omit<SettingsProblem, 'source'>): PolicyReading {
  return { layer: {}, problems: [{ source: 'policy', ...problem }] }
}
