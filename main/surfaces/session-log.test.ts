import { expect, it } from 'vitest'
import { sessionsAt, viewOf } from '../../contract/testing.ts'
import type { AppView } from '../../contract/views.ts'
import { SessionLog } from './session-log.ts'

it('each change of a session’s state is logged once', () => {
  const lines: string[] = []
  const note = (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`)
  let tell = (_: AppView): void => {}
  const subscribe = (listener: typeof tell) => {
    tell = listener
    return () => {}
  }
  new SessionLog({ views: { subscribe }, log: { info: note, warn: note, error: note } }).start()
  const { restoring, signingIn } = sessionsAt(0)
  for (const session of [restoring, signingIn, signingIn]) tell(viewOf(session))
  expect(lines).toEqual(['session.state {"to":"restoring"}', 'session.state {"from":"restoring","to":"signingIn"}'])
})
