import { connect, type Server } from 'node:net'

/** The most connections that can wait to be accepted. */
const BACKLOG = 1_024

/** Starts listening; resolves to the error if that fails. */
export function listen(server: Server, path: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const done = (error?: NodeJS.ErrnoException) => {
      server.off('listening', done)
      server.off('error', done)
      resolve(error)
    }
    server.once('listening', done)
    server.once('error', done)
    server.listen({ path, backlog: BACKLOG })
  })
}

/** `dead`: no program listens at the path. `gone`: the path doesn't exist. In case of doubt, `live`. */
export type Liveness = 'live' | 'dead' | 'gone'

/** Finds out, by connecting, if a program listens at this socket or pipe. */
export function livenessOf(path: string): Promise<Liveness> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('live')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? 'gone' : error.code === 'ECONNREFUSED' ? 'dead' : 'live')
    })
  })
}
