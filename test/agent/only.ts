import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { AgentConnections } from '../../main/agent/connection-endpoints.ts'
import type { TokenSource } from '../../main/agent/token-source.ts'

/** The agent's connections if only the default connection exists, with this source for its token. */
export const only = (source: TokenSource): AgentConnections => ({
  names: [DEFAULT_CONNECTION],
  source: () => source,
})
