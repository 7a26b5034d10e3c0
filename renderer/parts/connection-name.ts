import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { NamedConnectionView } from '../../contract/views.ts'

/** What a person calls a connection: the name that it was given, if any, and its host. */
export interface ConnectionName {
  readonly name?: string
  readonly host?: string
}

/** `default` is a name for tools alone. It is only shown for want of everything else. */
export function connectionNameOf({
  name,
  connection,
}: Pick<NamedConnectionView, 'name' | 'connection'>): ConnectionName {
  const given = connection?.displayName ?? (name === DEFAULT_CONNECTION ? undefined : name)
  const shown = given ?? (connection === undefined ? name : undefined)
  return {
    ...(shown === undefined ? {} : { name: shown }),
    ...(connection === undefined ? {} : { host: connection.host }),
  }
}

/** Both in one line, each once. */
export const inOneLine = ({ name, host }: ConnectionName): string =>
  [...new Set([name, host])].filter((part) => part !== undefined).join(' · ')
