import type { Server, Socket } from 'node:net'

/**
 * Closes a server's oldest connection as soon as there are more than `most`, and returns the set of open connections.
 * A connection that the caller removes from the set stays open. SECURITY: nobody can keep others out with
 * connections that stay silent or requests that never end.
 */
export function keepNewest(server: Server, most: number): Set<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open
    if (open.size <= most || oldest === undefined) return
    open.delete(oldest)
    oldest.destroy()
  })
  return open
}
