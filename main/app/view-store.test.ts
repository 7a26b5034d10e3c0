import { expect, it } from 'vitest'
import type { AppView } from '../../contract/views.ts'
import { settle } from '../../test/support/manual-time.ts'
import { Changes, ViewStore } from './view-store.ts'

it('listeners get one view with all changes of a turn of the event loop, and readers see each change at once', async () => {
  let state = 'first'
  let builds = 0
  const changes = new Changes()
  const store = new ViewStore(() => {
    builds += 1
    return { shown: state } as AppView
  }, changes)
  const change = (to: string) => {
    state = to
    changes.changed()
  }
  const listen = () => {
    const heard: string[] = []
    return { heard, undo: store.subscribe((view) => heard.push(view.shown)) }
  }

  const [first, removed] = [listen(), listen()]
  expect(builds).toBe(1)
  change('second')
  expect(store.view).toEqual({ shown: 'second' })
  change('third')
  expect(listen().heard).toEqual(['third'])
  removed.undo()
  await settle()
  expect([first.heard, removed.heard]).toEqual([['first', 'third'], ['first']])
  expect(builds).toBe(3)
})
