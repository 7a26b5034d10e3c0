import { expect, it } from 'vitest'
import type { AppView, SessionView } from '../../contract/views.ts'
import { Changes, ViewStore } from '../app/view-store.ts'
import type { Log } from '../log/log.ts'
import { SessionLog } from './session-log.ts'

/** Logs connections with these names, which all have the same session. */
function logOf(names: readonly string[], first: SessionView) {
  const lines: [string, object][] = []
  const note = (event: string, fields = {}) => void lines.push([event, fields])
  const log: Log = { info: note, warn: note, error: note }
  let session = first
  const changes = new Changes()
  const connections = () => names.map((name) => ({ name, isOwn: name !== 'default', session }))
  const views = new ViewStore(() => ({ connections: connections() }) as unknown as AppView, changes)
  const become = async (next: SessionView) => {
    session = next
    changes.changed()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const sessionLog = new SessionLog({ views, log })
  sessionLog.start()
  return { lines, become, sessionLog }
}

it('each change of a session’s state is logged once, until the log is stopped', async () => {
  const { lines, become, sessionLog } = logOf(['default', 'staging'], { kind: 'restoring' })
  await become({ kind: 'signingIn' })
  await become({ kind: 'signingIn' })
  sessionLog.stop()
  await become({ kind: 'restoring' })
  expect(lines.map(([event, fields]) => `${event} ${JSON.stringify(fields)}`)).toEqual([
    'session.state {"to":"restoring"}',
    'session.state {"connection":"staging","to":"restoring"}',
    'session.state {"from":"restoring","to":"signingIn"}',
    'session.state {"connection":"staging","from":"restoring","to":"signingIn"}',
  ])
})
