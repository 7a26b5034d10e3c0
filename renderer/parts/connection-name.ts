import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { ConnectionSessionView } from '../../contract/views.ts'

export interface ConnectionName {
  readonly name?: string
  readonly host?: string
}

/** `default` is a name for tools: people see it only if the connection has neither a display name nor a host. */
export function connectionNameOf({
  name,
  connection,
}: Pick<ConnectionSessionView, 'name' | 'connection'>): ConnectionName {
  const given = connection?.displayName ?? (name === DEFAULT_CONNECTION ? undefined : name)
  const shown = given ?? (connection === undefined ? name : undefined)
  return {
    ...(shown === undefined ? {} : { name: shown }),
    ...(connection === undefined ? {} : { host: connection.host }),
  }
}

export const inOneLine = ({ name, host }: ConnectionName): string =>
  [...new Set([name, host])].filter((part) => part !== undefined).join(' · ')

export function nameOrHost(connection: Pick<ConnectionSessionView, 'name' | 'connection'>): string {
  const { name, host } = connectionNameOf(connection)
  return name ?? host ?? ''
}
