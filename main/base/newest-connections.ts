import type { Server, Socket } from 'node:net'

/**
 * Keeps a server's newest connections. SECURITY: the oldest gives way, so that nobody can keep others out by holding
 * connections, neither with silence nor with requests that never end. Returns the open ones; who is taken out stays.
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
