import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import { Subscription } from '../base/listeners.ts'
import type { ConnectionEndpoints } from './connection-endpoints.ts'
import { type Limits, MOST_REMOTES } from './limits.ts'
import { LONGEST_PATH, problemSentence } from './location.ts'
import type { Remote } from './parse-request.ts'
import { CONTENT_TYPES, errorReply, NO_STORE, type ReplyForm, sendReply } from './replies.ts'
import type { StatusPort } from './request-handler.ts'
import { createAgentServer } from './server.ts'
import { listenAtSocket, livenessOf } from './socket-file.ts'
import { Throttle } from './throttle.ts'

/** The agent sends `latchkey ssh` line breaks. Once that command has ended, the next line break ends the request. */
export const REMOTE_HEARTBEAT_MS = 5_000

const LONGEST_HOST = 64

interface RemotesPorts {
  /** The folder of the agent's own socket, which only the user can open. */
  readonly folder: string
  readonly uid: number
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly endpoints: Pick<ConnectionEndpoints, 'isOn' | 'of' | 'names'>
  readonly status: StatusPort
  readonly limits: Limits
}

/**
 * The sockets that `latchkey ssh` forwards to remote machines. Each closes when the request that opened it ends.
 * SECURITY: each machine's socket has its own limits and reaches only the connections that the user named.
 */
export class Remotes {
  readonly #ports: RemotesPorts
  readonly #open = new Set<() => Promise<void>>()

  constructor(ports: RemotesPorts) {
    this.#ports = ports
  }

  /** The socket's path is the first line of the response, which stays open as long as the socket. */
  open({ host, connections }: Remote, response: ServerResponse, form: ReplyForm, signal: AbortSignal): void {
    const { folder, uid, clock, endpoints, status, limits } = this.#ports
    if (this.#open.size >= MOST_REMOTES) {
      const message = 'Too many remote sessions are open. End one of them and try again.'
      sendReply(response, errorReply('too_many_connections', form, { message, retryAfter: 5, close: true }))
      return
    }
    const socket = path.join(folder, `ssh-${randomBytes(3).toString('hex')}`)
    const { server, close: closeServer } = createAgentServer({
      endpoints: {
        get isOn() {
          return endpoints.isOn
        },
        get names() {
          return connections.filter((name) => endpoints.names.includes(name))
        },
        of: (name) => (connections.includes(name) ? endpoints.of(name) : undefined),
      },
      status,
      limits,
      throttle: new Throttle(clock),
      host: displayText(host, LONGEST_HOST) || 'unknown machine',
    })
    const heartbeat = new Subscription()
    const close = async () => {
      if (!this.#open.delete(close)) return
      heartbeat.end()
      response.end()
      await closeServer()
    }
    if (signal.aborted) return
    this.#open.add(close)
    signal.addEventListener('abort', close)
    const beatLater = () => heartbeat.begin(() => clock.at(clock.now() + REMOTE_HEARTBEAT_MS, beat))
    const beat = () => {
      heartbeat.end()
      // Something has deleted the socket's file, so the request ends. `latchkey ssh` then asks for another socket.
      if (!existsSync(socket)) void close()
      else {
        response.write('\n')
        beatLater()
      }
    }
    const listening =
      Buffer.byteLength(socket) > LONGEST_PATH
        ? Promise.resolve({ kind: 'pathTooLong', path: socket, bytes: Buffer.byteLength(socket) } as const)
        : listenAtSocket(server, { path: socket, uid })
    void listening.then((problem) => {
      if (!this.#open.has(close)) {
        void closeServer()
        return
      }
      if (problem !== undefined) {
        const message = problemSentence(problem)
        sendReply(response, errorReply('unavailable', form, { message, retryAfter: 5, close: true }))
        void close()
        return
      }
      response.writeHead(200, ['Content-Type', CONTENT_TYPES[form], ...NO_STORE, 'Connection', 'close'])
      response.write(`${form === 'text' ? socket : JSON.stringify({ socket })}\n`)
      beatLater()
    })
  }

  /** Deletes sockets that stayed behind when Latchkey was killed. */
  async clean(): Promise<void> {
    const { folder } = this.#ports
    for (const name of await readdir(folder)) {
      const file = path.join(folder, name)
      if (/^ssh-[0-9a-f]{6}$/.test(name) && (await livenessOf(file)) === 'dead') await rm(file, { force: true })
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#open].map((close) => close()))
  }
}
