import path from 'node:path'
import { DEFAULT_CONNECTION, isNewConnectionName } from '../../contract/connection-names.ts'
import type { Defect } from '../../contract/defects.ts'
import type { SettingRow } from '../../contract/setting-rows.ts'
import {
  APP_SETTING_NAMES,
  isSetting,
  isSettingField,
  SETTING_FIELDS,
  SETTINGS,
  type ValueName,
} from '../../contract/settings.ts'
import { decodeText, suggestion } from './defects.ts'
import { readGuarded } from './guarded-file.ts'
import { type Position, positionsIn, whyNotAnObject } from './json-positions.ts'
import { type AppLayer, type ManagedLayer, readLayer, readManaged } from './layers.ts'
import { type PolicyTls, readTls } from './policy-tls.ts'
import type { KeyProblem, SettingsProblem } from './problems.ts'

/** The administrator's file. On Windows it isn't under `%ProgramData%`, because every user can create folders there. */
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

type KeyInPolicy = Pick<SettingsProblem, 'where' | 'key' | 'at'>

export interface PolicyReading {
  readonly layer: ManagedLayer
  /** If present, even if empty, users can only add connections if the policy turns on `userConnections`. */
  readonly connections?: ReadonlyMap<string, ManagedLayer>
  readonly app: AppLayer
  readonly tls?: PolicyTls
  /** Where the policy sets each value that applies, by the value's path, such as `tls.caFiles`. */
  readonly keys?: ReadonlyMap<string, KeyInPolicy>
  readonly problems: readonly SettingsProblem[]
}

export const NO_POLICY: PolicyReading = { layer: {}, app: {}, problems: [] }

/** Reads the policy file. A missing file sets nothing. For a file that can't be used, returns `closedPolicy`. */
export function readPolicy(file: string, platform: NodeJS.Platform): PolicyReading {
  // SECURITY: the file must be guarded, because whoever can write to it decides where passwords are sent.
  const reading = readGuarded(file, platform)
  if (reading.kind === 'read') return policyFrom(file, reading.content)
  return reading.kind === 'missing' ? NO_POLICY : closedPolicy({ where: file, problem: reading.kind })
}

export function policyFrom(file: string, bytes: Buffer): PolicyReading {
  const decoded = decodeText(bytes)
  if ('text' in decoded) return parsePolicy(file, decoded.text)
  return closedPolicy({ where: file, problem: 'damaged', defect: decoded.defect })
}

/** Reads the values of a policy file. A wrong value becomes a problem, and the other values still apply. */
export function parsePolicy(file: string, content: string): PolicyReading {
  // Windows editors put a byte order mark at the beginning.
  const text = content.replace(/^\uFEFF/, '')
  const found = positionsIn(text)
  if (!found.ok) {
    const { ok: _, ...damage } = found
    return closedPolicy({ where: file, problem: 'damaged', ...damage })
  }
  const json: unknown = JSON.parse(text)
  if (!isObject(json)) {
    const at = { line: 1, column: 1 }
    return closedPolicy({ where: file, problem: 'damaged', at, defect: { kind: 'notAnObject' } })
  }
  return readValues(file, json, found.keys)
}

/** `where` is the place's name; `positions` are those of the keys, by their paths. */
export function readValues(
  where: string,
  json: Readonly<Record<string, unknown>>,
  positions: ReadonlyMap<string, Position> = new Map(),
): PolicyReading {
  const about = (key: string) => ({ source: 'policy', where, key, at: positions.get(key) }) as const
  const { layer, problems } = readManaged(SETTING_FIELDS, json)
  const app = readLayer('policy', APP_SETTING_NAMES, json)
  const tls = 'tls' in json ? readTls(json['tls']) : undefined
  const others = 'connections' in json ? readConnections(json['connections']) : undefined
  // `$schema` is only for editors, which validate the file with it.
  const unknown = Object.keys(json).filter((key) => !isSetting(key) && key !== '$schema')
  const set = [
    ...Object.keys({ ...layer, ...app.layer }),
    ...Object.keys(tls?.tls ?? {}).map((part) => `tls.${part}`),
    ...[...(others?.connections ?? [])].flatMap(([name, values]) => [
      `connections.${name}`,
      ...Object.keys(values).map((field) => `connections.${name}.${field}`),
    ]),
  ]
  return {
    layer,
    ...(others === undefined ? {} : { connections: others.connections }),
    app: app.layer,
    ...(tls === undefined ? {} : { tls: tls.tls }),
    keys: new Map(set.map((key) => [key, about(key)])),
    problems: [
      ...[...problems, ...app.problems].map(({ where: key, source: _, ...rest }) => ({ ...about(key), ...rest })),
      ...[...(others?.problems ?? []), ...(tls?.problems ?? [])].map(({ key, ...rest }) => ({
        ...about(key),
        ...rest,
      })),
      ...unknown.map(
        (key) => ({ ...about(key), problem: 'unknown', ...suggestion(key, Object.keys(SETTINGS)) }) as const,
      ),
    ],
  }
}

/** Combines the readings of all places. The first one that sets a value wins. All problems are kept. */
export function mergePolicies(readings: readonly PolicyReading[]): PolicyReading {
  if (readings.length === 0) return NO_POLICY
  return readings.reduceRight((low, high) => {
    const connections = new Map(low.connections)
    for (const [name, values] of high.connections ?? []) connections.set(name, { ...connections.get(name), ...values })
    const hasConnections = low.connections !== undefined || high.connections !== undefined
    const tls = { ...low.tls, ...high.tls }
    return {
      layer: { ...low.layer, ...high.layer },
      ...(hasConnections && { connections }),
      app: { ...low.app, ...high.app },
      ...(low.tls === undefined && high.tls === undefined ? {} : { tls }),
      keys: new Map([...(low.keys ?? []), ...(high.keys ?? [])]),
      problems: [...high.problems, ...low.problems],
    }
  })
}

const TOP_LEVEL: Defect = { kind: 'topLevel' }

/** Reads `connections`. A wrong connection or value becomes a problem, and the others still apply. */
function readConnections(value: unknown): {
  readonly connections: ReadonlyMap<string, ManagedLayer>
  readonly problems: readonly KeyProblem[]
} {
  if (!isObject(value)) {
    const problem = { key: 'connections', problem: 'unusable', defect: whyNotAnObject(value) } as const
    return { connections: new Map(), problems: [problem] }
  }
  const connections = new Map<string, ManagedLayer>()
  const problems: KeyProblem[] = []
  for (const [name, values] of Object.entries(value)) {
    const key = `connections.${name}`
    if (!isNewConnectionName(name) || name === DEFAULT_CONNECTION || !isObject(values)) {
      const wrongName: Defect = name === DEFAULT_CONNECTION ? TOP_LEVEL : { kind: 'connectionName' }
      problems.push({ key, problem: 'unusable', defect: isObject(values) ? wrongName : whyNotAnObject(values) })
      continue
    }
    const { layer, problems: own } = readManaged(SETTING_FIELDS, values, (field) => `${key}.${field}`)
    problems.push(...own.map(({ where: ofField, source: _, ...rest }) => ({ ...rest, key: ofField })))
    for (const field of Object.keys(values)) {
      if (!isSettingField(field)) {
        const meant = isSetting(field) ? { defect: TOP_LEVEL } : suggestion(field, SETTING_FIELDS)
        problems.push({ key: `${key}.${field}`, problem: 'unknown', ...meant })
      }
    }
    connections.set(name, layer)
  }
  return { connections, problems }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const strictest = (names: readonly ValueName[]) =>
  names.flatMap((name) => {
    const { whenWrong }: SettingRow = SETTINGS[name]
    return whenWrong === undefined ? [] : [[name, whenWrong] as const]
  })
const CLOSED = { layer: strictest(SETTING_FIELDS), app: strictest(APP_SETTING_NAMES) }

/** SECURITY: any switch may be turned off in a place that can't be read, so each has its strictest value. */
export function closedPolicy(problem: Omit<SettingsProblem, 'source'>): PolicyReading {
  const { problems } = emptyPolicy(problem)
  const { where } = problem
  return {
    layer: Object.fromEntries(CLOSED.layer),
    app: Object.fromEntries(CLOSED.app),
    keys: new Map([...CLOSED.layer, ...CLOSED.app].map(([key]) => [key, { where, key }])),
    problems: [...problems, { source: 'policy', where, problem: 'closed' }],
  }
}

export function emptyPolicy(problem: Omit<SettingsProblem, 'source'>): PolicyReading {
  return { ...NO_POLICY, problems: [{ source: 'policy', ...problem }] }
}
