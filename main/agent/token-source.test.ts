import { ModelSource } from '../../test/agent/model-source.ts'
import { describeTokenSource } from '../../test/agent/source-contract.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'

describeTokenSource('a model', async () => {
  const time = new ManualTime()
  const clock = new DeadlineClock(time)
  const source = new ModelSource(clock)
  const isRunning = () => source.tokenState.kind === 'signedIn' && source.tokenState.refresh.kind === 'running'
  return {
    source,
    clock,
    account: 'ana',
    signIn: async (lifetime) => source.grant(lifetime),
    signOut: async () => source.signOut(),
    refreshes: () => source.refreshes,
    grant: async (lifetime) => {
      if (isRunning()) source.grant(lifetime)
    },
    fail: async () => source.fail('unreachable'),
    refuse: async () => source.refuse(),
    pass: async (milliseconds) => time.pass(milliseconds),
    stop: async () => {},
  }
})
