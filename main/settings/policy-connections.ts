import { DEFAULT_CONNECTION, isNewConnectionName } from '../../contract/connection-names.ts'
import { isSetting, type ManagedLayer, readManaged } from './layer.ts'

/** What the administrator says of the connections beside the default one, by their names. */
export type PolicyConnections = ReadonlyMap<string, ManagedLayer>

interface Problem {
  /** The path of the key, such as `connections.staging.baseAddress`. */
  readonly key: string
  readonly problem: 'unusable' | 'unknown'
}

/** Reads `connections` one by one, and each value by value: what is wrong is named, what is right still counts. */
export function readConnections(value: unknown): {
  readonly connections: PolicyConnections
  readonly problems: readonly Problem[]
} {
  if (!isObject(value)) return { connections: new Map(), problems: [{ key: 'connections', problem: 'unusable' }] }
  const connections = new Map<string, ManagedLayer>()
  const problems: Problem[] = []
  for (const [name, values] of Object.entries(value)) {
    const key = `connections.${name}`
    // The default one is what the file says outside of `connections`.
    if (!isNewConnectionName(name) || name === DEFAULT_CONNECTION || !isObject(values)) {
      problems.push({ key, problem: 'unusable' })
      continue
    }
    const { layer, problems: own } = readManaged(values, (field) => `${key}.${field}`)
    problems.push(...own.map(({ where }) => ({ key: where, problem: 'unusable' }) as const))
    for (const field of Object.keys(values)) {
      if (!isSetting(field)) problems.push({ key: `${key}.${field}`, problem: 'unknown' })
    }
    connections.set(name, layer)
  }
  return { connections, problems }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
