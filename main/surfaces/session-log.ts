import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { ConnectionSessionView, SessionView } from '../../contract/views.ts'
import type { ViewStore } from '../app/view-store.ts'
import { sessionEvents } from '../log/events.ts'
import type { Log } from '../log/log.ts'

interface SessionLogPorts {
  readonly views: Pick<ViewStore, 'subscribe'>
  readonly log: Log
}

export class SessionLog {
  readonly #ports: SessionLogPorts
  #logged: ReadonlyMap<string, SessionView> = new Map()
  #unsubscribe = (): void => {}

  constructor(ports: SessionLogPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#unsubscribe = this.#ports.views.subscribe(({ connections }) => this.#logChanges(connections))
  }

  stop(): void {
    this.#unsubscribe()
  }

  #logChanges(connections: readonly ConnectionSessionView[]): void {
    const { log } = this.#ports
    for (const { name, session } of connections) {
      const which = name === DEFAULT_CONNECTION ? {} : { connection: name }
      for (const { level, event, fields } of sessionEvents(this.#logged.get(name), session)) {
        log[level](event, { ...which, ...fields })
      }
    }
    this.#logged = new Map(connections.map(({ name, session }) => [name, session]))
  }
}
