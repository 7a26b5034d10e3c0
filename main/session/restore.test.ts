import { expect, test } from 'vitest'
import { DeadlineClock } from './clock.ts'
import { Holding } from './held.ts'
import { PublishedState } from './published-state.ts'
import { Restore } from './restore.ts'
import { refreshToken } from './secret.ts'
import { HandTime, settle } from './testing/hand-time.ts'
import { ModelMarker } from './testing/model-store.ts'
import { UnderWay } from './under-way.ts'
import type { Stored } from './vault.ts'

const SESSION: Stored = {
  kind: 'session',
  entry: { method: 'password', username: 'ana', refreshToken: refreshToken('T') },
}

/** What the keychain answers, question by question: for the list of what waits to be revoked, and for the session. */
async function restore(lists: readonly boolean[] | undefined, sessions: readonly Stored[]) {
  const asked: string[] = []
  const clock = new DeadlineClock(new HandTime())
  const state = new PublishedState(clock, () => {})
  const resumed: unknown[] = []
  const [list, session] = [lists?.values(), sessions.values()]
  const restoring = new Restore({
    name: 'https://a.example',
    marker: new ModelMarker(),
    clock,
    random: () => 0.5,
    holding: new Holding(clock),
    vault: {
      async read() {
        asked.push('session')
        return session.next().value ?? { kind: 'locked' }
      },
    } as never,
    revocations: list && {
      async load() {
        asked.push('list')
        await settle()
        asked.push('list read')
        return list.next().value ?? false
      },
      isEmpty: true,
    },
    state,
    underWay: new UnderWay(),
    resume: async (entry) => void resumed.push(entry),
  })
  await restoring.run()
  restoring.stop()
  return { state: state.now, resumed, asked }
}

test('a session is gone on with once it is known that it waits for no revocation', async () => {
  expect((await restore([true], [SESSION])).resumed).toHaveLength(1)
  expect((await restore([false, true], [SESSION, SESSION])).resumed).toHaveLength(1)
})

test('where nothing can be revoked, nothing has to be known of it', async () => {
  expect((await restore(undefined, [SESSION])).resumed).toHaveLength(1)
})

test('what waits to be revoked is known before the session is read, however slow the keychain', async () => {
  expect((await restore([true], [SESSION])).asked).toEqual(['list', 'list read', 'session'])
})

test('as long as that is not known, it is asked for again, as of a locked keychain', async () => {
  const { state, resumed } = await restore([false, false], [SESSION])
  expect(state).toMatchObject({ kind: 'keychainLocked' })
  expect(resumed).toEqual([])
})
