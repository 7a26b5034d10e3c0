import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { AgentConnections } from '../../main/agent/desks.ts'
import type { TokenSource } from '../../main/agent/token-source.ts'

/** The default connection, and no other. */
export const only = (source: TokenSource): AgentConnections => ({
  names: [DEFAULT_CONNECTION],
  source: () => source,
})
