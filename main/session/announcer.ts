import { OK, type Outcome } from '../../contract/failures.ts'
import type { AccessToken } from '../base/secret.ts'
import type { JournalWorker } from './journal-worker.ts'
import { OVERTAKEN } from './outcome.ts'
import type { Random } from './ports.ts'
import type { PublishedState } from './published-state.ts'
import { refreshDelay } from './schedule.ts'
import { type Session, type SessionRecord, withTokens } from './session-record.ts'
import { tokenOf } from './state.ts'
import type { ReceivedTokens } from './token-pair.ts'

interface AnnouncerPorts {
  readonly random: Random
  readonly record: SessionRecord
  readonly journal: Pick<JournalWorker, 'sync' | 'kept'>
  readonly state: PublishedState
}

/** Takes new tokens, stores them, and only then announces them. */
export class Announcer {
  readonly #ports: AnnouncerPorts
  #accessToken: AccessToken | undefined

  constructor(ports: AnnouncerPorts) {
    this.#ports = ports
  }

  /** The access token that was announced last; `undefined` if the state no longer contains a token. */
  get accessToken(): AccessToken | undefined {
    if (tokenOf(this.#ports.state.now) === undefined) this.#accessToken = undefined
    return this.#accessToken
  }

  /** Stores new tokens of this session, and then announces the access token. */
  async announce(session: Session, tokens: ReceivedTokens, type: 'signedIn' | 'tokenReceived'): Promise<Outcome> {
    const { random, record, journal, state } = this.#ports
    const isCurrent = record.sameTurn()
    const { receivedAt, expiresAt } = tokens
    const next = withTokens(session, tokens)
    record.update(next)
    await journal.sync()
    if (!isCurrent()) return OVERTAKEN
    this.#accessToken = tokens.accessToken
    const canRefresh = next.refreshToken !== undefined
    const refreshesAt = receivedAt + refreshDelay(expiresAt - receivedAt, random)
    const token = { receivedAt, expiresAt, ...(canRefresh && { refreshesAt }) }
    state.dispatch({ type, account: next.account, token, kept: journal.kept })
    return OK
  }
}
