/** A desktop for tools: the real agent and the real engine, with a service into which tests inject faults. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from '../../../main/agent/agent.ts'
import type { Limits } from '../../../main/agent/limits.ts'
import { SessionSource } from '../../../main/app/session-source.ts'
import { sessionView } from '../../../main/session/connection-view.ts'
import { type Answer, type Asking, ask, RawClient, reject } from '../../agent/client.ts'
import { defaultConnection } from '../../agent/default-connection.ts'
import { ownUid } from '../../agent/rig.ts'
import { settle } from '../../support/manual-time.ts'
import { newFolder } from '../cli/programs.ts'
import type { AppCopy } from '../faults/app-copy.ts'
import { Rig } from '../faults/rig.ts'

export class ServedAgent {
  readonly rig: Rig
  readonly agent: Agent
  readonly socket: string
  readonly #remove: () => void

  /** Starts the desktop, on which ana is signed in with a token that lives for an hour. */
  static async start(limits: Partial<Limits> = {}): Promise<ServedAgent> {
    const rig = await Rig.start()
    const desk = new ServedAgent(rig, await rig.signedIn(), limits)
    const state = await desk.agent.start()
    if (state.kind !== 'on') throw new Error(`the agent is ${JSON.stringify(state)}`)
    return desk
  }

  private constructor(rig: Rig, { session, clock }: AppCopy, limits: Partial<Limits>) {
    const { folder, remove } = newFolder()
    this.rig = rig
    this.#remove = remove
    this.socket = `${folder}/agent.sock`
    this.agent = new Agent({
      location: { kind: 'socket', path: this.socket },
      connections: defaultConnection(
        new SessionSource(
          {
            session: () => session,
            isRestoring: () => false,
            subscribe: (listener) => session.subscribe(() => listener()),
          },
          'default',
        ),
      ),
      view: () => ({ version: '1.2.3', session: sessionView(session.state, clock) }),
      clock,
      uid: ownUid(),
      limits,
    })
  }

  token(minValidity = 60, asking: Asking = {}): Promise<Answer> {
    return ask(this.socket, `/v1/token?min_validity=${minValidity}`, asking)
  }

  reject(token: string, asking: Asking = {}): Promise<Answer> {
    return reject(this.socket, token, asking)
  }

  connect(): Promise<RawClient> {
    return RawClient.open(this.socket)
  }

  /** How many refreshes the service has received. */
  get refreshes(): number {
    return this.rig.sent('refresh')
  }

  /** Moves the clock, even while requests hang. */
  async pass(milliseconds: number): Promise<void> {
    this.rig.time.pass(milliseconds)
    await this.settle()
  }

  /**
   * Lets sent requests and answers arrive. Both ends are in this process, so turns of the event loop are counted. On a
   * busy computer, a turn may take 50 ms.
   */
  async settle(): Promise<void> {
    await sleep(50)
    for (let turn = 0; turn < 200; turn++) await settle()
  }

  async stop(): Promise<void> {
    await this.agent.stop()
    await this.rig.service.pause()
    await this.rig.stop()
    this.#remove()
  }
}

/** Each answer's token or error. */
export const tokensIn = (answers: readonly Answer[]): ReadonlySet<string> =>
  new Set(
    answers.map(({ body }) => {
      const { token, error } = JSON.parse(body)
      return token ?? error
    }),
  )
