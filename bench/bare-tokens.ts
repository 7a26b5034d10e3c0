/** A socket to which the app `bare-token` connects when it has a token. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'

export interface BareTokens {
  readonly socket: string
  /**
   * Waits until the app has a token and has stored the next refresh token. Returns the time at which the token arrived
   * (`performance.now()`).
   */
  next(): Promise<number>
  stop(): void
}

const TIMEOUT_MS = 30_000

/** @param folder A folder that the app's user can read and write. */
export async function watchBareTokens(folder: string): Promise<BareTokens> {
  const socket = path.join(folder, 'socket')
  const server = createServer().listen({ path: socket, writableAll: true, readableAll: true })
  await once(server, 'listening')
  return {
    socket,
    async next() {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const [connection]: Socket[] = await once(server, 'connection', { signal })
      const arrivedAt = performance.now()
      connection?.resume()
      if (connection !== undefined) await once(connection, 'end', { signal })
      return arrivedAt
    },
    stop: () => void server.close(),
  }
}
