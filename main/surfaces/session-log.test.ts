import { expect, it } from 'vitest'
import type { AppView, SessionView } from '../../contract/views.ts'
import type { Log } from '../log/log.ts'
import { Changes, ViewStore } from '../view-store.ts'
import { SessionLog } from './session-log.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('the log contains each change of a session’s state only once, and none after stop', async () => {
  const lines: string[] = []
  const note = (event: string, fields = {}) => void lines.push([event, JSON.stringify(fields)].join(' '))
  const log: Log = { info: note, warn: note, error: note }
  let session: SessionView = { kind: 'restoring' }
  const changes = new Changes()
  const connections = () => [
    { name: 'default', isOwn: false, session },
    { name: 'staging', isOwn: true, session },
  ]
  const views = new ViewStore(() => ({ connections: connections() }) as unknown as AppView, changes)
  const become = async (next: SessionView) => {
    session = next
    changes.changed()
    await turn()
  }

  const sessionLog = new SessionLog({ views, log })
  sessionLog.start()
  await become({ kind: 'signingIn' })
  await become({ kind: 'signingIn' })
  sessionLog.stop()
  await become({ kind: 'restoring' })
  expect(lines).toEqual([
    'session.state {"to":"restoring"}',
    'session.state {"connection":"staging","to":"restoring"}',
    'session.state {"from":"restoring","to":"signingIn"}',
    'session.state {"connection":"staging","from":"restoring","to":"signingIn"}',
  ])
})
