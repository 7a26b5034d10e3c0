import { beforeEach, expect, it } from 'vitest'
import type { AppView } from '../../contract/views.ts'
import { Changes, ViewStore } from './view-store.ts'

let state: string
let builds: number
let changes: Changes
let store: ViewStore

beforeEach(() => {
  state = 'first'
  builds = 0
  changes = new Changes()
  store = new ViewStore(() => {
    builds += 1
    return { shown: state } as AppView
  }, changes)
})

/** Waits for two turns of the event loop, because a change that a listener makes is delivered in the second one. */
async function turn(): Promise<void> {
  for (let count = 0; count < 2; count++) await new Promise((resolve) => setImmediate(resolve))
}

function change(to: string): void {
  state = to
  changes.changed()
}

function listen() {
  const heard: string[] = []
  return { heard, undo: store.subscribe((view) => heard.push(view.shown)) }
}

it('after several changes in one turn of the event loop, a listener gets one view, with all of them', async () => {
  const { heard } = listen()
  change('second')
  change('third')
  expect(heard).toEqual(['first'])
  await turn()
  expect(heard).toEqual(['first', 'third'])
})

it('after a change, the view is built once for all listeners and readers', async () => {
  const all = [listen(), listen(), listen()]
  expect(store.view).toEqual({ shown: 'first' })
  expect(builds).toBe(1)
  change('second')
  await turn()
  expect(all.map(({ heard }) => heard.at(-1))).toEqual(['second', 'second', 'second'])
  expect(store.view).toEqual({ shown: 'second' })
  expect(builds).toBe(2)
})

it('readers and new subscribers see a change within the same turn', async () => {
  listen()
  change('second')
  expect(store.view).toEqual({ shown: 'second' })
  expect(listen().heard).toEqual(['second'])
  change('third')
  expect(store.view).toEqual({ shown: 'third' })
})

it('a listener that was removed receives nothing', async () => {
  const { heard, undo } = listen()
  const other = listen()
  change('second')
  undo()
  await turn()
  expect(heard).toEqual(['first'])
  expect(other.heard).toEqual(['first', 'second'])
})
