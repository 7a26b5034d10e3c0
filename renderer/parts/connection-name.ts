import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { ConnectionSessionView } from '../../contract/views.ts'

/** A connection's name for people: its display name, if any, and its host. */
export interface ConnectionName {
  readonly name?: string
  readonly host?: string
}

/** People don't know the name `default`: it is shown only if the connection has neither a display name nor a host. */
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

/** Host and name in one line, without repetition. */
export const inOneLine = ({ name, host }: ConnectionName): string =>
  [...new Set([name, host])].filter((part) => part !== undefined).join(' · ')

/** What the window calls the connection. */
export function nameOrHost(connection: Pick<ConnectionSessionView, 'name' | 'connection'>): string {
  const { name, host } = connectionNameOf(connection)
  return name ?? host ?? ''
}
