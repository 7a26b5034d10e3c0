import { OK } from '../../../contract/failures.ts'
import { DeadlineClock } from '../../../main/base/clock.ts'
import { Tasks } from '../../../main/base/waits.ts'
import { SessionRecord } from '../../../main/session/session-record.ts'
import type { SignIn } from '../../../main/session/sign-in.ts'
import { PublishedState } from '../../../main/session/state.ts'
import { ManualTime } from '../manual-time.ts'

type Ports = ConstructorParameters<typeof SignIn>[0]

/** What a sign-in needs besides its grants, for a user who is signed out. The log says what happens to sessions. */
export function signInPorts(log: string[]) {
  const clock = new DeadlineClock(new ManualTime())
  const state = new PublishedState()
  state.dispatch({ type: 'nothingStored', revocation: 'none' })
  const refresher: Ports['refresher'] = {
    pending: undefined,
    async begin({ account }) {
      log.push(`session of ${account.username}`)
      return OK
    },
  }
  const revoker: Ports['revoker'] = {
    responseFrom: () => undefined,
    add: () => 'pending',
    addSession: () => true,
    async revoke(_, { refreshToken }) {
      log.push(`revokes ${refreshToken?.reveal()}`)
    },
    async run() {
      log.push('revocations go on')
    },
  }
  return { clock, record: new SessionRecord(clock), state, refresher, revoker, tasks: new Tasks() }
}
