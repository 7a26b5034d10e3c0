import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { AgentConnections } from '../../main/agent/connection-endpoints.ts'
import type { TokenSource } from '../../main/agent/token-source.ts'

/** The connections of an agent that has only the default one, whose tokens come from `source`. */
export const defaultConnection = (source: TokenSource): AgentConnections => ({
  names: [DEFAULT_CONNECTION],
  source: () => source,
  signOut: async (connection) => ({ connection, result: 'notSignedIn' }),
})
