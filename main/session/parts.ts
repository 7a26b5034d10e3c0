import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/retry.ts'
import type { Tasks } from '../base/waits.ts'
import type { Grants } from './grants/grant.ts'
import type { SessionRecord } from './session-record.ts'
import type { PublishedState } from './state.ts'

/** What all parts of a session engine share. */
export interface SessionParts {
  readonly grants: Grants
  readonly clock: Clock
  readonly random: Random
  readonly record: SessionRecord
  readonly state: PublishedState
  readonly tasks: Tasks
  /** Aborted when the session closes. From then on, nothing new begins. */
  readonly signal: AbortSignal
}
