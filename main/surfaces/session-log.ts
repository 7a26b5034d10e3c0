import type { AppView } from '../../contract/views.ts'
import type { Log } from '../log/log.ts'
import { logSessions } from '../log/session-events.ts'
import type { ViewStore } from '../view-store.ts'
import type { Surface } from './surfaces.ts'

interface SessionLogPorts {
  readonly views: Pick<ViewStore<AppView>, 'subscribe'>
  readonly log: Log
}

/** Logs the events of each connection's session. */
export class SessionLog implements Surface {
  readonly name = 'session log'
  readonly #ports: SessionLogPorts
  #unsubscribe = (): void => {}

  constructor(ports: SessionLogPorts) {
    this.#ports = ports
  }

  start(): void {
    const { views, log } = this.#ports
    const note = logSessions(log)
    this.#unsubscribe = views.subscribe(({ connections }) => note(connections))
  }

  stop(): void {
    this.#unsubscribe()
  }
}
